import { Float } from "@parlance/sdk-node";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkJsonValue } from "../../dist/values/encode-value.js";

function pathOf(value: unknown): string {
  return (throws(() => checkJsonValue(value), "invalid-value") as Error & { path: string }).path;
}

test("what JSON can hold passes, integers of 64 bits and floats too", () => {
  const nullPrototype = Object.assign(Object.create(null), { a: 1 });
  const own = JSON.parse('{"__proto__":{"a":1}}');
  const shared = { a: 1 };
  const ends = [-(2n ** 63n), 2n ** 64n - 1n];
  for (const value of [null, true, 1, -0, 1.5, "", "\u{1f426}", [], {}, new Float(1), ...ends]) {
    checkJsonValue(value);
  }
  checkJsonValue([nullPrototype, own, shared, shared, { gone: undefined }]);
});

test("the rest is refused, with its place", () => {
  const circular: unknown[] = [];
  circular.push({ self: circular });
  let deep: unknown = 1;
  for (let level = 0; level < 501; level++) deep = [deep];
  const cases: [unknown, string][] = [
    [undefined, ""],
    [Number.NaN, ""],
    [{ a: [1, Number.POSITIVE_INFINITY] }, "/a/1"],
    [[new Float(Number.NaN)], "/0"],
    [{ "a/b~": 2n ** 64n }, "/a~1b~0"],
    [[undefined], "/0"],
    [new Array(1), "/0"],
    [["\ud800"], "/0"],
    [{ "\udc00": 1 }, "/\udc00"],
    [[new Date()], "/0"],
    [Buffer.from("x"), ""],
    [new Map(), ""],
    [new Set(), ""],
    [new URL("http://h/"), ""],
    [() => 1, ""],
    [Symbol("s"), ""],
    [[{ a: { __classname__: "x" } }], "/0/a"],
    [circular, "/0/self"],
    [deep, "/0/0/0/0/0"],
  ];
  for (const [value, path] of cases) assert.is(pathOf(value), path);
});

test("says what to do instead", () => {
  const message = (value: unknown) => throws(() => checkJsonValue(value)).message;
  assert.match(
    message({ at: new Date() }),
    /^value: \/at is an instance of Date, expected text, for example date\.toISO/,
  );
  assert.match(message(new Map()), /Object\.fromEntries/);
});

test.run();
