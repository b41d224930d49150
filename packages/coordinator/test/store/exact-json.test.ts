import { exactJsonText, fromExactJson, parseExactJson, toExactJson } from "@parlance/coordinator";
import { encodeResponseFrame, Float, Timestamp } from "@parlance/framing";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const float = fc.oneof(
  fc.double(),
  fc.integer().map((whole) => new Float(whole)),
  fc.constant(-0),
);
const { wire } = fc.letrec((tie) => ({
  wire: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
      .map((value) => (value >= -(2n ** 53n) && value <= 2n ** 53n ? 2n ** 60n : value)),
    float,
    fc.string(),
    fc.constantFrom("$", "__proto__", "\0"),
    fc.array(tie("wire"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom("$", "__proto__")), tie("wire")), {
        maxLength: 4,
      })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

test("whatever the wire carries comes back with the same bytes", () => {
  fc.assert(
    fc.property(wire, (value) => {
      const back = parseExactJson(exactJsonText(value));
      const before = encodeResponseFrame({ id: 1, body: { value } });
      const after = encodeResponseFrame({ id: 1, body: { value: back } });
      assert.equal(Buffer.from(after), Buffer.from(before));
    }),
    { numRuns: load(10_000) },
  );
});

test("marks are those of the cases", () => {
  assert.equal(toExactJson([2n ** 63n, Number.NaN, new Float(1), -0, new Uint8Array([0, 255])]), [
    { $: "int", v: "9223372036854775808" },
    { $: "float", v: "nan" },
    { $: "float", v: "1.0" },
    { $: "float", v: "-0.0" },
    { $: "bytes", hex: "00ff" },
  ]);
  const moment = Timestamp.parse("2026-06-16T01:02:03.123456Z");
  const mark = { $: "datetime", iso: "2026-06-16T01:02:03.123456+00:00", aware: true };
  assert.equal(toExactJson(moment), mark);
  assert.is((fromExactJson(mark) as Timestamp).toISOString(), moment.toISOString());
  assert.equal(toExactJson({ $: 1 }), { $: "map", entries: [["$", 1]] });
});

test("what can't be kept is refused with a code", () => {
  throws(() => toExactJson(Symbol("x")), "bad-value");
  throws(() => toExactJson([undefined]), "bad-value");
  throws(() => fromExactJson({ $: "nonsense" }), "bad-value");
  throws(() => fromExactJson({ $: "int", v: "1.5" }), "bad-value");
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = [deep];
  throws(() => toExactJson(deep), "bad-value");
});

test("as deep as the wire carries it, a value is kept", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 1020; level++) deep = level % 2 === 0 ? [deep] : { x: deep };
  assert.is(exactJsonText(parseExactJson(exactJsonText(deep))), exactJsonText(deep));
});

test.run();
