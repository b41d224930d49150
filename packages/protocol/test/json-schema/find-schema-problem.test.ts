import { findSchemaProblem, type Schema } from "@parlance/protocol/json-schema";
import { test } from "uvu";
import * as assert from "uvu/assert";

const CASES: readonly (readonly [value: unknown, schema: Schema, problem: string | undefined])[] = [
  ["eu", { type: "string", enum: ["eu", "us"] }, undefined],
  ["asia", { enum: ["eu", "us"] }, 'is the text "asia", expected one of ["eu","us"]'],
  [7, { type: "string" }, "is 7, expected string"],
  [null, { type: ["null", "string"] }, undefined],
  [true, { type: "integer" }, "is true, expected integer"],
  [1.5, { type: "integer" }, "is 1.5, expected integer"],
  [2n ** 60n, { type: "integer", minimum: 0 }, undefined],
  [0, { minimum: 1 }, "is 0, below 1"],
  [0, { exclusiveMinimum: 0 }, "is 0, expected more than 0"],
  ["🙂🙂", { maxLength: 2 }, undefined],
  ["", { minLength: 1 }, "has 0 characters, the limit is 1"],
  [[1, "2"], { items: { type: "integer" } }, 'at 1 is the text "2", expected integer'],
  [{ a: {} }, { properties: { a: { required: ["b"] } } }, 'at "a" has no "b"'],
  ["x", { pattern: "^[a-c]$" }, 'is the text "x", expected text that matches ^[a-c]$'],
  ["x", { pattern: "(?P<a>y)", format: "date" }, undefined],
];

test("what of a param is not as its schema has it", () => {
  for (const [value, schema, problem] of CASES) {
    assert.is(findSchemaProblem(value, schema), problem, JSON.stringify(schema));
  }
});

test.run();
