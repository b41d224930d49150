import { match } from "@parlance/conformance";
import { Float, Timestamp } from "@parlance/framing";
import { test } from "uvu";
import * as assert from "uvu/assert";

const paths = (pattern: unknown, value: unknown): string[] =>
  match(pattern, value).map(({ path }) => path);

test("values are compared as they are; a map may have more than the pattern", () => {
  assert.equal(match({ a: 1, b: [true, null, "x"] }, { a: 1, b: [true, null, "x"], c: 3 }), []);
  assert.equal(paths({ a: { b: 1 } }, { a: { b: 2 } }), ["/a/b"]);
  assert.equal(paths([1, 2], [1, 2, 3]), [""]);
  assert.equal(paths([1, 2], [1, 3]), ["/1"]);
  assert.equal(paths({ a: 1 }, null), [""]);
  assert.equal(paths({ a: null }, {}), ["/a"], "absent is not null");
});

test("what JSON can't hold is compared as exact JSON", () => {
  const date = Timestamp.parse("2030-01-01T00:00:00Z");
  assert.equal(match({ $matches: "^2030-01-01T00:00:00" }, date), []);
  assert.equal(paths({ $matches: "^2031" }, date), [""]);
  assert.equal(match({ $: "float", v: "1.0" }, new Float(1)), []);
  assert.equal(paths(1, new Float(1)), [""]);
  assert.equal(match({ $: "int", v: "9007199254740993" }, 9007199254740993n), []);
});

const KINDS: readonly (readonly [string, unknown, unknown])[] = [
  ["text", "", 1],
  ["non-empty-text", "a", ""],
  ["integer", 3, 0.5],
  ["integer", 2n ** 60n, new Float(1)],
  ["number", 0.5, "1"],
  ["boolean", false, 0],
  ["list", [], {}],
  ["map", {}, []],
  ["present", 0, null],
  ["absent", null, 0],
  ["absent", undefined, ""],
  ["date-time", "2026-06-16T01:02:03.5+02:00", "2026-06-16T01:02:03"],
  ["date-time", "2026-06-16 01:02:03Z", "2026-06-16"],
];
for (const [kind, good, bad] of KINDS) {
  test(`$is ${kind}`, () => {
    assert.equal(match({ a: { $is: kind } }, { a: good }), []);
    assert.equal(paths({ a: { $is: kind } }, { a: bad }), ["/a"]);
  });
}

test("other questions, and one that nobody knows", () => {
  assert.equal(match({ $matches: "^a.c$" }, "abc"), []);
  assert.equal(paths({ $matches: "^a.c$" }, "abd"), [""]);
  assert.equal(match({ $oneOf: [1, { $is: "text" }] }, "x"), []);
  assert.equal(paths({ $oneOf: [1, { $is: "text" }] }, 2), [""]);
  assert.equal(match({ $text: "b.?:1" }, { a: { b: 1 } }), []);
  assert.equal(paths({ $text: "c" }, { a: 1 }), [""]);
  assert.equal(match({ $all: [{ $is: "text" }, "x"] }, "x"), []);
  assert.equal(paths({ $all: [{ $is: "text" }, "x"] }, "y"), [""]);
  assert.equal(match({ $has: [3, { a: 1 }] }, [{ a: 1, b: 2 }, 3]), []);
  assert.equal(paths({ $has: [3] }, [1, 2]), [""]);
  assert.equal(paths({ $has: [3] }, 3), [""]);
  assert.equal(match({ $not: 1 }, 2), []);
  assert.equal(paths({ $not: 1 }, 1), [""]);
  assert.throws(() => match({ $is: "colour" }, 1), /colour/);
});

test.run();
