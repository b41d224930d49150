import { CATALOGUE, type Direction, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { type MigrateOptions, migrateBody } from "@parlance/protocol/migrate";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readNdjson, readSchema } from "./support/read-data.ts";
import { fullest, smallest } from "./support/sample.ts";
import { Float, Timestamp } from "./support/wire-values.ts";

interface Vector {
  readonly op: "upgrade" | "downgrade";
  readonly note: string | null;
  readonly version: SchemaVersion;
  readonly omits: boolean;
  readonly body: object;
  readonly result: object | null;
  readonly where: readonly (readonly string[])[];
}

const UP: MigrateOptions = { from: "2026-06-16", to: "2026-10-30", direction: "to-supervisor" };
const DOWN: MigrateOptions = { from: "2026-10-30", to: "2026-06-16", direction: "to-task" };

function optionsFor({ op, note, version, omits }: Vector): MigrateOptions {
  if (op === "upgrade") return { ...UP, from: version };
  const isAsSent = note?.includes("as_sent") ?? false;
  return { ...DOWN, to: version, unset: isAsSent ? "as-sent" : omits ? "omit" : "fill" };
}

/** Reads every field of a message, so that freezing it finds each write. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

function migrated(body: unknown, options: MigrateOptions): unknown {
  const result = migrateBody(frozen(body), options);
  return result.migrated ? result.body : result.errors;
}

test("all answers of the real migrator are given", () => {
  const vectors = readNdjson<Vector>("data/migrator-bodies.ndjson");
  assert.is(vectors.length, 670);
  for (const vector of vectors) {
    const result = migrateBody(frozen(vector.body), optionsFor(vector));
    const told = `${vector.op} ${vector.version} ${vector.note ?? ""} ${JSON.stringify(vector.body)}`;
    assert.is(result.migrated, vector.result !== null, told);
    if (result.migrated) {
      assert.equal(result.body, vector.result, told);
      // Fields come in the order of stock's models, so that the bytes are the same too.
      const keys = Object.keys(vector.result ?? {});
      assert.equal(Object.keys(result.body), keys, told);
    } else if (vector.where.length > 0) {
      const paths = result.errors.map(({ path }) => path).sort();
      assert.equal(paths, vector.where.map((loc) => `/${loc.join("/")}`).sort(), told);
    }
  }
});

test("the smallest and the fullest body of every message go all ways", () => {
  for (const from of SCHEMA_VERSIONS) {
    const schema = readSchema(from);
    for (const to of SCHEMA_VERSIONS) {
      for (const direction of ["to-supervisor", "to-task"] as const) {
        for (const type of CATALOGUE[from][direction]) {
          const node = schema.$defs[type] ?? {};
          for (const body of [smallest(schema, node), fullest(schema, node)]) {
            const result = migrateBody(frozen(body), { from, to, direction });
            const isNew = !CATALOGUE[to][direction].includes(type);
            const told = `${type} ${from} -> ${to} ${JSON.stringify(result)}`;
            if (hasConnections(body) && to === "2026-06-16") assert.is(result.migrated, false);
            else assert.is(result.migrated, !isNew, told);
          }
        }
      }
    }
  }
});

function hasConnections(body: unknown): boolean {
  const { type, ti_context: context } = body as Record<string, Record<string, unknown>>;
  return String(type) === "StartupDetails" && "connections" in (context ?? {});
}

test("an unknown version is refused with the known ones named", () => {
  const wrong = { ...UP, from: "2027-01-01" } as unknown as MigrateOptions;
  const error = throws(() => migrateBody({ type: "GetXCom" }, wrong));
  assert.instance(error, RangeError);
  assert.match(error.message, 'from is "2027-01-01"');
  assert.match(error.message, "known: 2026-06-16, 2026-10-30");
  throws(() => migrateBody({}, { ...UP, to: new Date() } as unknown as MigrateOptions));
});

test("what is no message of the direction is refused", () => {
  const type = (body: unknown, options = UP) => {
    const result = migrateBody(body, options);
    return result.migrated ? "migrated" : `${result.errors[0]?.path} ${result.errors[0]?.message}`;
  };
  assert.is(type(null), " expected a map with a type, got null");
  assert.is(type([]), " expected a map with a type, got an empty list");
  assert.is(type({}), "/type is missing");
  assert.is(type({ type: 1 }), "/type expected the name of a message, got a whole number");
  assert.match(type({ type: "Nope" }), 'goes to-supervisor, got "Nope"');
  assert.match(type({ type: "constructor" }), "goes to-supervisor");
  assert.match(type({ type: "XComResult" }), "which goes to-task");
  assert.match(
    type({ type: "x".repeat(100) }),
    /^\/type expected the name of a message, got text$/,
  );
  const newer = { type: "SetExecutionTimeout", timeout_seconds: 5 };
  assert.is(type(newer), "migrated");
  const down = { from: "2026-10-30", to: "2026-06-16", direction: "to-supervisor" } as const;
  assert.is(
    type(newer, down),
    "/type schema 2026-06-16 has no SetExecutionTimeout, which came later",
  );
});

test("a head of 2026-06-16 can serve a runtime of 2026-10-30", () => {
  const down = { from: "2026-10-30", to: "2026-06-16", direction: "to-supervisor" } as const;
  const xcom = { type: "GetXCom", key: "k", dag_id: "d", run_id: "r", task_id: "t" };
  assert.equal(migrated({ ...xcom, previous_iteration: true }, down), {
    key: "k",
    dag_id: "d",
    run_id: "r",
    task_id: "t",
    map_index: null,
    include_prior_dates: false,
    type: "GetXCom",
  });
  const success = { type: "SucceedTask", end_date: "2026-01-02T03:04:05Z" };
  const old = migrated({ ...success, loop_decision: { stop: true } }, down) as object;
  assert.not.ok("loop_decision" in old);
  const up = { from: "2026-06-16", to: "2026-10-30", direction: "to-task" } as const;
  const found = { task_id: "t", dag_id: "d", run_id: "r", logical_date: null, start_date: null };
  const previous = {
    ...found,
    end_date: null,
    state: null,
    try_number: 1,
    map_index: -1,
    duration: null,
  };
  const result = migrated({ type: "PreviousTIResult", task_instance: previous }, up);
  const instance = (result as { task_instance: Record<string, unknown> }).task_instance;
  assert.is(instance?.["region_id"], null);
});

test("values of the wire stay exact; what stock writes in one form is written so", () => {
  const moment = new Timestamp(1_767_323_100n, 123_456_789);
  const read = (end_date: unknown, retry_delay_seconds: unknown = 1) =>
    migrated({ type: "RetryTask", end_date, retry_delay_seconds }, UP) as Record<string, unknown>;
  assert.is(read(moment)["end_date"], moment);
  const delay = new Float(5);
  assert.is(read(moment, delay)["retry_delay_seconds"], delay);
  assert.is(read(moment, 2n ** 60n)["retry_delay_seconds"], 2n ** 60n);
  assert.is(read(moment, "12.5")["retry_delay_seconds"], 12.5);
  for (const [given, written] of [
    ["2026-01-02 03:04:05+00:00", "2026-01-02T03:04:05Z"],
    ["2026-01-02t03:04:05.5z", "2026-01-02T03:04:05.500000Z"],
    ["2026-01-02T03:04:05.1234567-0530", "2026-01-02T03:04:05.123456-05:30"],
    ["2026-01-02T03:04\u221200:30", "2026-01-02T03:04:00-00:30"],
    ["0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.000001Z"],
    [0, "1970-01-01T00:00:00Z"],
    [-0.5, "1969-12-31T23:59:59.500000Z"],
    [1_767_323_100_500, "2026-01-02T03:05:00.500000Z"],
    ["1767323100", "2026-01-02T03:05:00Z"],
  ]) {
    assert.is(read(given)["end_date"], written, String(given));
  }
});

test("durations, UUIDs and paths are written in one form", () => {
  const timeout = (value: unknown) =>
    (
      migrated({ type: "AwaitInputTask", next_method: "m", timeout: value }, UP) as {
        timeout: unknown;
      }
    ).timeout;
  for (const [given, written] of [
    ["PT30S", "PT30S"],
    [90.5, "PT1M30.5S"],
    [0, "PT0S"],
    ["-P1DT2H", "-P1DT2H"],
    ["P1Y2W", "P1Y14D"],
    ["1 day, 00:00:30.25", "P1DT30.25S"],
    ["01:02", "PT1H2M"],
    [86_400 * 400, "P1Y35D"],
  ]) {
    assert.is(timeout(given), written, String(given));
  }
  const id = "019a0000-0000-7000-8000-00000000000f";
  for (const text of [id.toUpperCase(), id.replaceAll("-", ""), `{${id}}`, `urn:uuid:${id}`]) {
    const result = migrated({ type: "ValidateInletsAndOutlets", ti_id: text }, UP);
    assert.is((result as { ti_id: string }).ti_id, id);
  }
  const request = { type: "DagFileParseRequest", file: "f", bundle_name: "b" };
  for (const [given, written] of [
    ["/b//x/./y/", "/b/x/y"],
    ["", "."],
    ["//b", "//b"],
    ["///b", "/b"],
  ]) {
    const result = migrated({ ...request, bundle_path: given }, DOWN);
    assert.is((result as { bundle_path: string }).bundle_path, written);
  }
});

test("faults name their place and never a value", () => {
  const body = {
    type: "SkipDownstreamTasks",
    tasks: ["a", ["b", "c"], ["d"], 5],
    "un/known": 1,
  };
  assert.equal(migrated(body, UP), [
    { path: "/tasks/1/1", message: "expected a whole number, got text" },
    { path: "/tasks/2", message: "expected a list of 2, got a list of 1" },
    { path: "/tasks/3", message: "expected text, got a whole number" },
    { path: "/un~1known", message: "is no field of this map, which refuses unknown ones" },
  ]);
  const naive = { type: "SucceedTask", end_date: "2026-01-02T03:04:05" };
  assert.equal(migrated(naive, UP), [
    { path: "/end_date", message: "expected a date-time with a zone, got text" },
  ]);
  const many = { type: "SentFDs", fds: Array.from({ length: 50 }, () => "secret") };
  const told = migrated(many, DOWN);
  assert.is((told as unknown[]).length, 20);
  assert.not.match(JSON.stringify(told), "secret");
});

test("a key of __proto__ is a key like any other", () => {
  const extra = JSON.parse('{"__proto__":"x"}') as object;
  const body = { type: "GetAssetEventByAsset", name: "a", uri: null, extra };
  const result = migrated(body, UP) as { extra: object };
  assert.is(JSON.stringify(result.extra), '{"__proto__":"x"}');
});

test("a body read in one version comes back from it", () => {
  const directions: Direction[] = ["to-supervisor", "to-task"];
  for (const direction of directions) {
    const schema = readSchema("2026-06-16");
    for (const type of CATALOGUE["2026-06-16"][direction]) {
      const body = smallest(schema, schema.$defs[type] ?? {});
      const once = { from: "2026-06-16", to: "2026-06-16", direction } as const;
      const first = migrated(body, once);
      assert.equal(migrated(first, once), first, type);
      const there = migrated(first, { ...once, to: "2026-10-30" });
      const back = migrated(there, { ...once, from: "2026-10-30" });
      assert.equal(back, first, type);
    }
  }
});

test.run();
