import { openResultStore, type SerializerName } from "@parlance/results";
import { type CeleryDump, type CeleryPeer, startCeleryPeer } from "@parlance/test-kit";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { celeryTask, ourGroup, ourTask, plain } from "./compare.ts";
import { type Kind, kindsHere, newDatabase } from "./databases.ts";
import { dateWord, type Fields, type GoldenCase, goldenCases, plainRow } from "./golden.ts";
import { play } from "./play.ts";

/** Which recorded cases to hold both sides to. */
export interface GoldenRun {
  readonly kind: Kind;
  readonly files: readonly string[];
  readonly extended?: boolean;
  readonly serializer?: SerializerName;
  /** How many of our rows are Celery's, to the byte: all that can be written from JavaScript. */
  readonly equalRows: number;
}

/** What can't be written from JavaScript: Python made another class or text of it, or its own result objects. */
const PYTHON_ONLY = new Set([
  "failure_many_args",
  "failure_unserializable_arg",
  "async_result",
  "group_result",
]);

/** Arguments of exceptions that only json can hold: Celery stores Python's text of them. */
const REPRS_BUT_IN_JSON = new Set(["failure_kombu_types", "failure_unserializable_arg"]);

const IN_JSON = ["json_states", "json_sequences", "json_children", "json_extended"];

/**
 * Where we read on purpose what Celery refuses, or refuse what it would run: a name that would be
 * looked up is only a name here, old pickle protocols are safe to read, objects of Python are not.
 */
const READ_BY_US = new Set(["exc_security", "pickle_protocol_0", "pickle_protocol_1"]);
const REFUSED_BY_US = new Set([
  "pickle_failure_exception",
  "pickle_global_reduce",
  "pickle_datetime",
]);

/** Real Celery and our store on the same recorded cases, both ways. */
export function goldenTests<T>(test: Test<T>, run: GoldenRun): void {
  const { kind, files, extended = false, serializer = "json" } = run;
  const label = `${kind}, ${files.join(", ")}`;
  if (kindsHere(test, label, [kind]).length === 0) return;
  const cases = goldenCases(...files).filter(
    ({ name }) => serializer === "json" || !REPRS_BUT_IN_JSON.has(name),
  );
  // The same cases in JSON tell of their exceptions what the row says; Celery may have no such class.
  const inJson = new Map(goldenCases(...IN_JSON).map((one) => [one.name, one.row]));
  const options = { extended, serializer };

  test(`${label}: we read what Celery wrote`, async () => {
    const database = await newDatabase(kind);
    const celery = await startCeleryPeer(database.celeryUrl(), { ...options, pooled: true });
    await celery.write(cases.flatMap(({ write }) => write));
    const store = await openResultStore(database.url, options);
    const reads = await readAll(celery, cases);
    for (const one of cases) {
      const { name, group } = one;
      const read = reads[name] as Fields | null;
      if (group !== undefined) {
        assert.equal(
          ourGroup(await store.restoreGroup(group)),
          plain(read?.["tuple"] ?? null),
          name,
        );
        continue;
      }
      const ours = await store.get(name).then(ourTask, (error: Error) => error);
      const isRefused = read !== null && "error" in read;
      if (isRefused ? READ_BY_US.has(name) : REFUSED_BY_US.has(name)) continue;
      if (isRefused) assert.instance(ours, Error, `${name}: Celery refuses it`);
      else assert.equal(ours, celeryTask(read ?? {}, inJson.get(name) ?? one.row), name);
      assert.is(await store.exists(name), one.row !== null, name);
    }
    await Promise.all([store.close(), celery.close()]);
  });

  test(`${label}: what we write is what Celery wrote, and Celery reads it so`, async () => {
    const database = await newDatabase(kind);
    const store = await openResultStore(database.url, options);
    const written = cases.filter(isWritable);
    for (const { exactWrite } of written) {
      for (const item of exactWrite) await play(store, item).catch(passRefusal);
    }
    const celery = await startCeleryPeer(database.celeryUrl(), { ...options, pooled: true });
    const rows = rowsByName(await celery.dump());
    const reads = await readAll(celery, written);
    let equal = 0;
    for (const one of written) {
      const { name, group = name } = one;
      const row = rows.get(group);
      // What Celery can't read back we need not be able to write.
      if (row === undefined && one.read_error !== undefined) continue;
      assert.equal(plainRow(row), plainRow(one.row), name);
      if (row !== undefined) assert.is(dateWord(row["date_done"]), one.date_done, name);
      assert.equal(timeless(reads[name]), timeless(one.read), name);
      equal++;
    }
    assert.is(equal, run.equalRows);
    await Promise.all([store.close(), celery.close()]);
  });
}

function isWritable({ name, write }: GoldenCase): boolean {
  return !PYTHON_ONLY.has(name) && !write.some((item) => "raw" in item);
}

/** What Celery refuses to write we refuse as well: the row that is then not there tells. */
function passRefusal(error: { readonly code?: string }): void {
  if (error.code !== "group-exists" && error.code !== "cannot-encode") throw error;
}

async function readAll(celery: CeleryPeer, cases: readonly GoldenCase[]): Promise<Fields> {
  const ids = cases.filter(({ group }) => group === undefined).map(({ name }) => name);
  const groups = cases.flatMap(({ group }) => group ?? []);
  const read = await celery.read({ ids, groups });
  return Object.fromEntries(
    cases.map(({ name, group }) => {
      return [name, group === undefined ? read.tasks[name] : read.groups[group]];
    }),
  );
}

function rowsByName(dump: CeleryDump): ReadonlyMap<string, Fields> {
  return new Map([
    ...dump.task.map((row) => [row["task_id"] as string, row] as const),
    ...dump.group.map((row) => [row["taskset_id"] as string, row] as const),
  ]);
}

function timeless(read: unknown): unknown {
  if (typeof read !== "object" || read === null) return null;
  const { date_done: when, ...rest } = read as Fields;
  return { ...rest, hasDate: when !== null };
}
