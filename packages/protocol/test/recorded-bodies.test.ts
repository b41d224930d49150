import type { Direction, SchemaVersion } from "@parlance/protocol";
import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readNdjson } from "./support/read-data.ts";
import { revive } from "./support/wire-values.ts";

interface Recorded {
  readonly source: string;
  readonly refused: string | null;
  readonly version: SchemaVersion;
  readonly direction: Direction;
  readonly body: { readonly type?: string };
}

interface Migrated {
  readonly op: "upgrade" | "downgrade";
  readonly note: string | null;
  readonly version: SchemaVersion;
  readonly body: { readonly type?: string };
  readonly result: unknown;
}

/** Refused by the real runner, taken here: what is received may be newer or less exact. */
const LENIENT = new Set(["dagrun_extra_field.jsonl", "no_tz_dagrun.jsonl"]);

test("every recorded body that the real receiver took is valid, each refused one is not", () => {
  const wrong: string[] = [];
  let refused = 0;
  for (const { source, refused: reason, version, direction, body } of readNdjson<Recorded>(
    "data/recorded-bodies.ndjson",
  )) {
    const result = validateBody(version, direction, revive(body));
    if (reason !== null) refused++;
    const isLenient = LENIENT.has(source.slice(source.lastIndexOf("/") + 1));
    if (result.valid !== (reason === null || isLenient)) {
      wrong.push(`${source} (${reason ?? "taken"}): ${JSON.stringify(result)}`);
    }
  }
  assert.equal(wrong, []);
  assert.ok(refused > 0);
});

/**
 * The migrator takes from an old child whatever the newest schema has; judged by its own
 * version, as 3.3.2 does, that is unknown. And it takes a TaskState whose date has no zone.
 */
function differsOnPurpose({ version, body, note }: Migrated): boolean {
  const type = body.type ?? "";
  if (note === "naive date") return true;
  if (version === "2026-10-30") return false;
  return ["SetExecutionTimeout", "UpdateDagRunNote"].includes(type) || "loop_decision" in body;
}

test("bodies that a task sends are judged as the real migrator judges them", () => {
  const vectors = readNdjson<Migrated>("data/migrator-bodies.ndjson");
  const upgrades = vectors.filter(({ op }) => op === "upgrade");
  const wrong = upgrades
    .filter((vector) => !differsOnPurpose(vector))
    .map((vector) => ({
      vector,
      result: validateBody(vector.version, "to-supervisor", vector.body),
    }))
    .filter(({ vector, result }) => result.valid !== (vector.result !== null))
    .map(({ vector, result }) => `${vector.version} ${vector.note}: ${JSON.stringify(result)}`);
  assert.equal(wrong, []);
  const onPurpose = upgrades.filter(differsOnPurpose);
  assert.ok(onPurpose.length > 0 && onPurpose.length < upgrades.length / 10);
});

test("bodies that a newer supervisor sends are valid, also as the migrator downgrades them", () => {
  const vectors = readNdjson<Migrated>("data/migrator-bodies.ndjson");
  const wrong: string[] = [];
  for (const { op, version, body, result } of vectors) {
    if (op !== "downgrade") continue;
    const sent = validateBody("2026-10-30", "to-task", body);
    if (!sent.valid) wrong.push(JSON.stringify(sent));
    const downgraded = validateBody(version, "to-task", result);
    if (result !== null && !downgraded.valid && !isLeak(downgraded)) {
      wrong.push(`${version}: ${JSON.stringify(downgraded)}`);
    }
  }
  assert.equal(wrong, []);
});

/** Changes that the real package has no migration step for. */
function isLeak(result: { readonly errors: readonly { readonly path: string }[] }): boolean {
  return result.errors.every(({ path }) =>
    /^\/(asset_events\/\d+\/created_dagruns\/\d+\/start_date|callback_requests\/\d+\/context_from_server\/.*)$/.test(
      path,
    ),
  );
}

test.run();
