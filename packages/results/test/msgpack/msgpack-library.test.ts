import { decode, encode } from "@msgpack/msgpack";
import { createSerializer, PythonFloat } from "@parlance/results";
import { fromHex, throws, toHex } from "@parlance/test-kit";
import * as fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { cellsOf, goldenCases } from "../serializers/golden-cells.ts";

// Our msgpack beside the usual library: the same where that one is right, and where it is not.

const ours = await createSerializer("msgpack");
const LIBRARY = { useBigInt64: true, ignoreUndefined: true };

/** The library gives 64-bit ints as bigint, whatever their size; ours those that need it. */
function narrowed(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (value instanceof Uint8Array) return `bytes ${toHex(value)}`;
  if (Array.isArray(value)) return value.map(narrowed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, narrowed(item)]));
}

test("the golden rows: both read the same, the library writes all but a few the same", () => {
  const written: string[] = [];
  const refused: string[] = [];
  let cells = 0;
  for (const item of ["msgpack_all", "msgpack_groups"].flatMap(goldenCases)) {
    for (const { bytes, name } of cellsOf(item)) {
      cells++;
      if (item.read_error != null) {
        throws(() => ours.decode(bytes), "cannot-decode");
        refused.push(name);
        continue;
      }
      const value = ours.decode(bytes);
      assert.equal(narrowed(value), narrowed(decode(bytes, LIBRARY)), name);
      if (toHex(encode(value, LIBRARY)) !== toHex(bytes)) written.push(name);
    }
  }
  assert.is(cells, 144);
  assert.equal(refused, ["dict_nonstring_keys"]);
  // 1.0 is written as an int, -0.0 as 0, and keys in the order of an object.
  assert.equal(written, ["float_whole", "float_neg_zero", "dict_key_order"]);
});

test("random values are the same bytes, and read the same by both", () => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc
      .double({ noNaN: true })
      .filter((double) => !Object.is(double, -0) && !Number.isSafeInteger(double)),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.uint8Array({ maxLength: 300 }),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("value"), { maxLength: 20 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 20, noNullPrototype: true }),
    ),
  }));
  const same = fc.property(value, (given): void => {
    if (hasProto(given)) return;
    const bytes = ours.encode(given);
    assert.is(toHex(bytes), toHex(encode(given, LIBRARY)));
    assert.equal(narrowed(ours.decode(bytes)), narrowed(decode(bytes, LIBRARY)));
  });
  void fc.assert(same, { numRuns: 200 });
});

function hasProto(value: unknown): boolean {
  return JSON.stringify(value)?.includes('"__proto__"') === true;
}

test("what the library takes that Python does not, and the other way round", () => {
  const passes = ["a1ff", "a3eda080", "d6ff00000000", "c7000a", `${"91".repeat(1001)}c0`];
  for (const hex of passes) {
    decode(fromHex(hex), LIBRARY);
    throws(() => ours.decode(fromHex(hex)), "cannot-decode");
  }
  for (const hex of ["81a95f5f70726f746f5f5f01", "81c4016101"]) {
    assert.throws(() => decode(fromHex(hex), LIBRARY));
    ours.decode(fromHex(hex));
  }
  // Longer than Python's form, other numbers, other values, or nothing at all.
  const forms: readonly (readonly [unknown, string, string | null])[] = [
    [2 ** 32, "cb41f0000000000000", "cf0000000100000000"],
    [5n, "cf0000000000000005", "05"],
    [-0, "00", "cb8000000000000000"],
    [new PythonFloat(1), "81a576616c756501", "cb3ff0000000000000"],
    [new Map([["a", 1]]), "80", "81a16101"],
    [2n ** 64n, "cf0000000000000000", null],
    ["\ud800", "a3eda080", null],
    [new Date(0), "d6ff00000000", null],
    [new Set([1]), "80", null],
  ];
  for (const [value, library, own] of forms) {
    assert.is(toHex(encode(value, LIBRARY)), library);
    if (own === null) throws(() => ours.encode(value), "cannot-encode");
    else assert.is(toHex(ours.encode(value)), own);
  }
});

test.run();
