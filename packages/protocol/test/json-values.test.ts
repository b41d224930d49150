import { validateBody } from "@parlance/protocol/validate";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Float, Timestamp } from "./support/wire-values.ts";

const IDS = { key: "k", dag_id: "d", run_id: "r", task_id: "t" };

function faults(value: unknown): { path: string; message: string }[] {
  const result = validateBody("2026-06-16", "to-supervisor", { type: "SetXCom", ...IDS, value });
  return result.valid ? [] : [...result.errors];
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

test("an XCom may be any JSON value, wide integers, NaN and forced floats included", () => {
  const good = [
    ...[null, true, 0, -1, 1.5, 2n ** 63n, Number.NaN, -Infinity, "", "é"],
    ...[new Float(1), [], {}, [1, { a: [null] }], { a: undefined }],
    ...[new Map([["a", 1]]), Object.create(null), { __proto__: null, toString: 1 }],
  ];
  for (const value of good) assert.equal(faults(value), []);
  assert.equal(faults(nested(1000)), []);
});

test("what JSON cannot hold is refused where it stands", () => {
  const bad: [unknown, string][] = [
    [new Uint8Array(2), "/value"],
    [new Timestamp(0n), "/value"],
    [new Date(0), "/value"],
    [{ a: [1, new Uint8Array(2)] }, "/value/a/1"],
    [{ "a/b~c": { d: new Timestamp(0n) } }, "/value/a~1b~0c/d"],
    [new Map<unknown, unknown>([[1, 2]]), "/value"],
    [new Map([["a", () => 1]]), "/value/a"],
    [[undefined], "/value/0"],
    [Symbol("s"), "/value"],
    [new Set([1]), "/value"],
  ];
  for (const [value, path] of bad) {
    assert.equal(
      faults(value).map((each) => each.path),
      [path],
    );
  }
});

test("a missing value is missing, and undefined counts as missing", () => {
  assert.equal(faults(undefined), [{ path: "/value", message: "is missing" }]);
});

test("cycles and bottomless nesting are refused without a stack overflow", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const value of [cycle, nested(20_000)]) {
    const [fault] = faults(value);
    assert.match(fault?.message ?? "", /at most 1024 levels/);
    assert.ok((fault?.path.length ?? 0) <= 401);
  }
});

test("maps of JSON values are judged value by value", () => {
  const judge = (rendered_fields: unknown) =>
    validateBody("2026-06-16", "to-supervisor", { type: "SetRenderedFields", rendered_fields });
  assert.ok(judge({ a: [1], b: null }).valid);
  const result = judge({ a: 1, b: { c: new Uint8Array(1) } });
  assert.not(result.valid);
  if (!result.valid) assert.is(result.errors[0]?.path, "/rendered_fields/b/c");
  assert.not(judge([]).valid);
  assert.not(judge(null).valid);
});

test("maps of anything need text keys and nothing else", () => {
  const judge = (conf: unknown) =>
    validateBody("2026-06-16", "to-supervisor", {
      type: "TriggerDagRun",
      dag_id: "d",
      run_id: "r",
      conf,
    }).valid;
  for (const conf of [{}, null, { a: new Timestamp(0n), b: new Uint8Array(1) }, new Map()]) {
    assert.ok(judge(conf));
  }
  for (const conf of [[], "x", 1, new Map([[1, 2]]), new Timestamp(0n), new Uint8Array(1)]) {
    assert.not(judge(conf));
  }
});

test.run();
