import { readFileSync } from "node:fs";
import {
  type ConstructorPlace,
  constructDelay,
  constructMultiplier,
  constructRetries,
  deserializeMaxRetryDelay,
  deserializeMultiplier,
  deserializeRetries,
  deserializeRetryDelay,
  type PythonValue,
  RetryError,
  readMappedMultiplier,
  serializeDelay,
  serializeMultiplier,
  serializeRetries,
} from "@parlance/retry";
import { test } from "uvu";
import * as assert from "uvu/assert";

type Field = "retry_delay" | "max_retry_delay" | "retries" | "retry_exponential_backoff";

/** One value in a Dag file of real Airflow; see the script that recorded it. */
interface Row {
  readonly place: ConstructorPlace;
  readonly field: Field;
  readonly value: unknown;
  readonly held?: unknown;
  readonly held_error?: string;
  readonly json?: unknown;
  readonly read?: unknown;
  readonly read_error?: string;
  readonly error?: string;
}

const CLASSES: Readonly<Record<string, string>> = {
  "wrong-type": "TypeError",
  "not-a-number": "ValueError",
  "out-of-range": "OverflowError",
  "cannot-deserialize": "DeserializationError",
};

const text = readFileSync(new URL("../../test/data/conversions.json", import.meta.url), "utf8");
const { rows } = JSON.parse(text) as { readonly rows: readonly Row[] };

// `partial()` looks at retries only where they are not empty: what is, is kept as it was written. For None and
// False that is all the same later. Empty text and lists we refuse.
const isEmpty = (row: Row): boolean =>
  row.field === "retries" && row.place === "operator-mapped" && row.error === undefined;
const refused = rows.filter(
  (row) => isEmpty(row) && (row.value === "" || JSON.stringify(row.value) === '{"$list":true}'),
);

test("the recording is whole", () => {
  assert.is(rows.length, 328);
  assert.is(refused.length, 2);
});

for (const field of ["retry_delay", "max_retry_delay", "retries", "retry_exponential_backoff"]) {
  test(`${field}: constructor, JSON and the scheduler's copy are as recorded`, () => {
    const own = rows.filter((row) => row.field === field);
    assert.ok(own.length >= 72, `${own.length} rows`);
    for (const row of own) {
      if (refused.includes(row)) continue;
      const { held, held_error, json, read, read_error, error } = row;
      const expected = clean({ held, held_error, json, read, read_error, error });
      const actual = follow(row);
      if (isEmpty(row) && !row.value) {
        delete actual["held"];
        delete expected["held"];
      }
      assert.equal(actual, expected, JSON.stringify(row));
    }
  });
}

/** The same way through our functions, written as the recording is. */
function follow(row: Row): Record<string, unknown> {
  const steps: Record<string, unknown> = {};
  const step = (name: string, call: () => unknown): boolean => {
    try {
      steps[name] = encode(call());
      return true;
    } catch (error) {
      if (!(error instanceof RetryError)) throw error;
      steps[name === "loaded" ? "error" : `${name}_error`] = CLASSES[error.code];
      return false;
    }
  };
  const mapped = row.place.endsWith("mapped");
  const value = decode(row.value);
  if (row.field === "retry_exponential_backoff") {
    if (!step("built", () => constructMultiplier(value, row.place))) return failed(steps);
    const raw = constructMultiplier(value, row.place);
    step("held", () => (mapped ? readMappedMultiplier(raw as number) : raw));
    const stored = serializeMultiplier(raw);
    step("json", () =>
      typeof stored === "object" ? { __var: 86400, __type: "timedelta" } : stored,
    );
    if (mapped) step("read", () => readMappedMultiplier(stored));
    else if (step("loaded", () => deserializeMultiplier(stored))) steps["read"] = steps["loaded"];
  } else if (row.field === "retries") {
    if (!step("built", () => constructRetries(value, row.place))) return failed(steps);
    const held = constructRetries(value, row.place);
    step("held", () => held);
    step("json", () => serializeRetries(held));
    step("read", () => deserializeRetries(serializeRetries(held)));
  } else {
    const { place, field } = row;
    if (!step("built", () => constructDelay(value, place, field))) return failed(steps);
    const held = constructDelay(value, place, field);
    step("held", () => (held === null ? null : { $us: String(held) }));
    const stored = serializeDelay(held, { mapped });
    step("json", () => stored);
    const load = field === "retry_delay" ? deserializeRetryDelay : deserializeMaxRetryDelay;
    if (step("loaded", () => load(stored))) {
      const us = load(stored);
      steps["read"] = us === null ? null : { $us: String(us) };
    }
  }
  const { built: _built, loaded: _loaded, ...rest } = steps;
  return clean(rest);
}

function failed({ built_error }: Record<string, unknown>): Record<string, unknown> {
  return { error: built_error };
}

function clean(steps: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(steps).filter(([, value]) => value !== undefined));
}

function decode(value: unknown): PythonValue {
  if (typeof value !== "object" || value === null) return value as PythonValue;
  const { $f, $int, $us } = value as { $f?: string; $int?: string; $us?: string };
  if ($us !== undefined) return { us: BigInt($us) };
  if ($int !== undefined) return BigInt($int);
  if ($f !== undefined) return { nan: Number.NaN, inf: Infinity, "-inf": -Infinity }[$f] as number;
  return [];
}

function encode(value: unknown): unknown {
  if (typeof value === "bigint") return { $int: String(value) };
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return { $f: Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf" };
}

test.run();
