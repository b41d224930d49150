import { readFileSync } from "node:fs";
import { decodeValue, encodeValue, PythonObject, UnreadableValueError } from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { pythonRepr } from "../support/python-repr.js";

interface Golden {
  readonly encode: readonly {
    readonly value: string;
    readonly wire_json?: string;
    readonly via_msgpack: unknown;
    readonly decoded_again?: { readonly repr?: string; readonly isoformat?: string };
  }[];
  readonly decode: readonly {
    readonly case: string;
    readonly wire: unknown;
    readonly repr?: string;
    readonly isoformat?: string;
    readonly error?: string;
  }[];
}

// From the real serde, see the README there.
const golden = JSON.parse(
  readFileSync(new URL("../../test/data/serde-3.3.2.json", import.meta.url), "utf8"),
) as Golden;

/** Read by us and not by Python: classes it does not let in, and what loses nothing. */
const READ_ALL_THE_SAME: ReadonlyMap<string, string> = new Map([
  ["tuple of lists in set", "{[1]}"],
  ["datetime unknown zone", "Mars/Base"],
  ["timedelta int", "datetime.timedelta(seconds=90)"],
  ["version float", "(1,)"], // JavaScript has one kind of number
]);

for (const vector of golden.decode) {
  test(`reads as Python does: ${vector.case}`, () => {
    const read = () => decodeValue(vector.wire);
    const other = READ_ALL_THE_SAME.get(vector.case);
    if (other === "Mars/Base") {
      assert.is((read() as { zone: unknown }).zone, other);
    } else if (other !== undefined) {
      assert.is(pythonRepr(read()), other);
    } else if (vector.error === "ImportError" || vector.error === "ModuleNotFoundError") {
      assert.instance(read(), PythonObject);
    } else if (vector.error !== undefined) {
      assert.throws(read, (error: unknown) => error instanceof UnreadableValueError);
    } else if (vector.case.startsWith("airflow class")) {
      assert.instance(read(), PythonObject);
    } else if (vector.case === "zoneinfo" || vector.case === "fixed tz") {
      assert.ok(vector.repr?.includes(pythonRepr(read())), pythonRepr(read()));
    } else if (vector.case !== "big int") {
      assert.is(pythonRepr(read()), vector.isoformat ?? vector.repr);
    }
  });
}

/** What comes out otherwise than it went in, or not at all. */
const NOT_THE_SAME: ReadonlySet<string> = new Set([
  "{'__type': 'x', '__var': 1}", // Python writes it and cannot read it
  "datetime +05:30", // Python loses this kind of zone, and cannot read what it wrote
  "datetime -03:00 named",
  "datetime ZoneInfo UTC", // the zone's class: Python reads both alike
  "datetime max", // rounded up to the year 10000
  "pendulum date", // a datetime.date from then on
  "pendulum timezone", // a ZoneInfo from then on
  "lone surrogate",
]);

for (const { value, wire_json: json } of golden.encode) {
  if (json === undefined || /NaN|Infinity/.test(json) || NOT_THE_SAME.has(value)) continue;
  if (/^(?:2\*\*|10\*\*)/.test(value)) continue; // JSON.parse rounds them
  test(`writes back what Python wrote: ${value}`, () => {
    const wire: unknown = JSON.parse(json);
    const written = encodeValue(decodeValue(wire));
    const plain = JSON.stringify(written, (_, item: unknown) =>
      typeof item === "bigint" ? Number(item) : item,
    );
    assert.is(plain, JSON.stringify(wire));
  });
}

test.run();
