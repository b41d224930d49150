import type { ResultStore } from "@parlance/results";
import { toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { goldenCases, playItem } from "./golden-cases.ts";
import { openStore } from "./open-store.ts";

/**
 * Python made something else of what was written, so it is not what we were given: a class by its
 * number or its true module, a text by `repr`, one key of `1` and `True`.
 */
const PYTHON_ONLY = new Set([
  "failure_many_args",
  "failure_celery_exc",
  "failure_unserializable_arg",
  "dict_nonstring_keys",
]);
/** Results that are Celery's own result objects; ours are written as a group or as children. */
const RESULT_OBJECTS = new Set(["async_result", "group_result"]);

function rowOf(columns: Record<string, unknown> | undefined): unknown {
  if (columns === undefined) return null;
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(columns)) {
    if (name === "id" || name === "date_done" || name === "_metadata") continue;
    row[name] = value instanceof ArrayBuffer ? toHex(new Uint8Array(value)) : value;
  }
  return row;
}

function goldenRow(columns: { readonly [column: string]: unknown } | null): unknown {
  if (columns === null) return null;
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(columns)) {
    if (name === "date_done") continue;
    row[name] = (value as { hex?: string } | null)?.hex ?? value;
  }
  return row;
}

const FILES = [
  ["json_values", 57],
  ["json_states", 22],
  ["json_sequences", 10],
  ["json_children", 8],
  ["json_extended", 15],
  ["json_groups", 11],
] as const;

for (const [file, expected] of FILES) {
  test(`${file}: our rows are Celery's, byte by byte`, async () => {
    const opened = await openStore({ extended: file === "json_extended" });
    const { store, query } = opened;
    let compared = 0;
    for (const golden of goldenCases(file)) {
      const { name, write, row } = golden;
      if (PYTHON_ONLY.has(name) || RESULT_OBJECTS.has(name)) continue;
      if (write.some((item) => "raw" in item)) continue;
      await play(store, write);
      const id = (row?.["task_id"] ?? row?.["taskset_id"] ?? golden.group ?? name) as string;
      const table = file === "json_groups" ? "celery_tasksetmeta" : "celery_taskmeta";
      const key = file === "json_groups" ? "taskset_id" : "task_id";
      const [ours, ...more] = query(`SELECT * FROM ${table} WHERE ${key} = ?`, [id]);
      assert.is(more.length, 0, name);
      assert.equal(rowOf(ours), goldenRow(row), name);
      assert.is(dateKind(ours?.["date_done"]), row === null ? "none" : golden.date_done, name);
      compared++;
    }
    assert.is(compared, expected);
    await store.close();
  });
}

/** A store that Celery refuses is refused by us; the rest goes on. */
async function play(store: ResultStore, write: readonly { readonly [name: string]: unknown }[]) {
  for (const item of write) {
    try {
      await playItem(store, item);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "group-exists" && code !== "cannot-encode") throw error;
    }
  }
}

function dateKind(date: unknown): string {
  if (date === undefined) return "none";
  if (date === null) return "null";
  assert.match(String(date), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
  const ageMs = Date.now() - Date.parse(`${String(date).replace(" ", "T")}Z`);
  return ageMs >= 0 && ageMs < 60_000 ? "now" : "fixed";
}

test("cleanup removes what Celery's removes, to the row", async () => {
  const { readFileSync } = await import("node:fs");
  const url = new URL("../../test/data/golden/cleanup.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(url, "utf8")) as { cases: CleanupCase };
  const { store, query, run } = await openStore();
  const at = (name: string): string | null => {
    const age = Object.entries(cases.ages_seconds).find(([label]) => name.includes(label))?.[1];
    if (age === undefined) return null;
    return `${new Date(Date.now() - age * 1000).toISOString().replace("T", " ").slice(0, 23)}000`;
  };
  for (const name of cases.tasks_before) {
    run("INSERT INTO celery_taskmeta (task_id, date_done) VALUES (?, ?)", [name, at(name)]);
  }
  for (const name of cases.groups_before) {
    run("INSERT INTO celery_tasksetmeta (taskset_id, date_done) VALUES (?, ?)", [name, at(name)]);
  }
  const progress = await store.cleanup({ expiresSeconds: cases.expires_seconds });
  const left = (table: string, key: string) =>
    query(`SELECT ${key} AS k FROM ${table} ORDER BY id`).map(({ k }) => k);
  assert.equal(left("celery_taskmeta", "task_id"), cases.tasks_after);
  assert.equal(left("celery_tasksetmeta", "taskset_id"), cases.groups_after);
  assert.is(progress.tasks, cases.tasks_before.length - cases.tasks_after.length);
  assert.is(progress.groups, cases.groups_before.length - cases.groups_after.length);
  await store.close();
});

interface CleanupCase {
  readonly expires_seconds: number;
  readonly ages_seconds: Readonly<Record<string, number>>;
  readonly tasks_before: readonly string[];
  readonly tasks_after: readonly string[];
  readonly groups_before: readonly string[];
  readonly groups_after: readonly string[];
}

test.run();
