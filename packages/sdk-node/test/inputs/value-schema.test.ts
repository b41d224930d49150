import {
  CalendarDate,
  DateTime,
  Decimal,
  Duration,
  Float,
  PythonObject,
  Tuple,
  Uuid,
} from "@parlance/sdk-node";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { findMismatch } from "../../dist/inputs/value-schema.js";

const INT = { type: "integer", format: "int64" };
const MODEL = {
  type: "object",
  title: "Mod",
  properties: { name: { type: "string" }, n: { anyOf: [INT, { type: "null" }], default: null } },
  required: ["name"],
};

// Schemas as Airflow 3.4.0b2 makes them of annotations; values that Python takes for them, and not.
const CASES: readonly [object, readonly unknown[], readonly [unknown, RegExp][]][] = [
  [
    INT,
    [1, 2n ** 60n, 5],
    [
      ["1", /is text, expected an integer/],
      [1.5, /1\.5/],
      [true, /boolean/],
    ],
  ],
  [
    { type: "number", format: "double" },
    [1, 1.5, new Float(1), new Decimal("1")],
    [["x", /a number/]],
  ],
  [
    { type: "string" },
    [""],
    [
      [new DateTime(0), /is a datetime, expected text/],
      [null, /null/],
    ],
  ],
  [{ type: "boolean" }, [true], [[1, /true or false/]]],
  [{ anyOf: [INT, { type: "null" }] }, [null, 1], [["a", /expected an integer or null/]]],
  [
    { type: "string", format: "date-time" },
    [new DateTime(0), "2026"],
    [[new CalendarDate(1, 1, 1), /a date-time/]],
  ],
  [
    { type: "string", format: "date" },
    [new CalendarDate(1, 1, 1), new DateTime(0)],
    [[1, /a date/]],
  ],
  [
    { type: "string", format: "duration" },
    [new Duration({})],
    [[new Uuid("0".repeat(32)), /uuid/]],
  ],
  [
    { type: "array", items: {} },
    [[1, "a"], Tuple.of(), new Set([1])],
    [[{}, /a map, expected a list/]],
  ],
  [{ type: "array", items: INT, uniqueItems: true }, [new Set([1])], [[[1, "a"], /^\/1 is text/]]],
  [
    { type: "array", prefixItems: [INT, { type: "string" }], minItems: 2, maxItems: 2 },
    [Tuple.of(1, "a"), [1, "a"]],
    [
      [[1], /expected 2 elements/],
      [["a", 1], /^\/0 /],
    ],
  ],
  [{ enum: ["a", "b"], type: "string" }, ["a"], [["c", /one of \["a","b"\]/]]],
  [{ enum: [1, null] }, [null, 1], [[2, /one of/]]],
  [
    { type: "object", additionalProperties: INT },
    [{}, { "a/b": 1 }],
    [[{ "a/b": "x" }, /^\/a~1b is text/]],
  ],
  [
    MODEL,
    [{ name: "x" }, { name: "x", n: 1, more: [] }, new PythonObject("m.Mod", 1, { name: "x" })],
    [
      [{}, /a map with "name"/],
      [{ name: "x", n: "y" }, /^\/n /],
      [new PythonObject("m", 1, {}), /"name"/],
    ],
  ],
  [
    { $defs: { Mod: MODEL }, type: "array", items: { $ref: "#/$defs/Mod" } },
    [[{ name: "x" }]],
    [[[{ name: 1 }], /^\/0\/name /]],
  ],
  [
    { anyOf: [{ type: "number" }, { type: "string" }] },
    [new Decimal("1"), "1"],
    [[[], /a number or text/]],
  ],
  [{}, [1, null, {}], []],
  [{ $ref: "#/elsewhere" }, [1], []],
];

test("the value is held to the schema of its annotation", () => {
  for (const [schema, right, wrong] of CASES) {
    for (const value of right) assert.is(findMismatch(value, { ...schema }), undefined);
    for (const [value, message] of wrong)
      assert.match(findMismatch(value, { ...schema }) ?? "", message);
  }
});

test("a schema that contains itself, and a value of many levels", () => {
  const tree = { type: "object", additionalProperties: { $ref: "#/$defs/T" } };
  let value: unknown = {};
  for (let level = 0; level < 300; level++) value = { a: value };
  assert.is(findMismatch(value, { $defs: { T: tree }, ...tree }), undefined);
});

test.run();
