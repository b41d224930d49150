import { deepStrictEqual } from "node:assert";
import { decode as peerDecode, encode as peerEncode } from "@msgpack/msgpack";
import {
  decodeRequestFrame,
  decodeResponseFrame,
  encodeRequestFrame,
  encodeResponseFrame,
  Float,
  KeyCache,
  type RequestFrame,
} from "@parlance/framing";
import { bytesEqual, load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { jsonBody, wholeFloat, wireBody, wireValue } from "../support/values.ts";

function roundTrip(
  body: unknown,
  options: Parameters<typeof decodeRequestFrame>[1] = {},
): RequestFrame {
  return decodeRequestFrame(encodeRequestFrame({ id: 1, body }).subarray(4), options);
}

// Not uvu's `equal`: it asks the values for their `constructor`, which here is data.
test("any value comes back as it was", () => {
  const keys = new KeyCache();
  fc.assert(
    fc.property(wireBody, fc.option(wireValue.map((v) => ({ v }))), (body, error) => {
      const bytes = encodeResponseFrame({ id: 3, body, error });
      const frame = decodeResponseFrame(bytes.subarray(4), { keys });
      deepStrictEqual(frame.body, body);
      deepStrictEqual(frame.error, error);
      bytesEqual(encodeResponseFrame(frame), bytes);
      // Once more with every key known: the cache must not change anything.
      deepStrictEqual(decodeResponseFrame(bytes.subarray(4), { keys }), frame);
    }),
    { numRuns: load(6_000) },
  );
});

test("maps in wire order come back in that order", () => {
  fc.assert(
    fc.property(wireValue, (value) => {
      const body = new Map<string, unknown>([
        ["b", value],
        ["10", 1],
        ["__proto__", 2],
        ["1", value],
      ]);
      const bytes = encodeRequestFrame({ id: 1, body });
      const frame = decodeRequestFrame(bytes.subarray(4), { maps: "map", wrapFloats: true });
      assert.equal(
        [...(frame.body ?? [])].map(([key]) => key),
        [...body.keys()],
      );
      bytesEqual(encodeRequestFrame(frame), bytes);
    }),
    { numRuns: load(2_000) },
  );
});

test("whole floats stay floats on the wire, and come back as Float when asked for", () => {
  fc.assert(
    fc.property(wholeFloat, (float) => {
      const wrapped = roundTrip({ float }, { wrapFloats: true }).body?.["float"];
      assert.instance(wrapped, Float);
      assert.ok(Object.is((wrapped as Float).value, float.value));
      assert.ok(Object.is(roundTrip({ float }).body?.["float"], float.value));
    }),
    { numRuns: load(2_000) },
  );
});

test("@msgpack/msgpack reads what we write", () => {
  fc.assert(
    fc.property(jsonBody, fc.integer({ min: 0 }), (body, id) => {
      const payload = encodeRequestFrame({ id, body }).subarray(4);
      assert.equal(peerDecode(payload), [id, body]);
    }),
    { numRuns: load(2_000) },
  );
});

test("we read what @msgpack/msgpack writes", () => {
  fc.assert(
    fc.property(jsonBody, fc.integer({ min: 0 }), (body, id) => {
      const frame = decodeRequestFrame(peerEncode([id, body]));
      // It writes -0 as the integer 0.
      assert.equal(JSON.stringify([frame.id, frame.body]), JSON.stringify([id, body]));
    }),
    { numRuns: load(2_000) },
  );
});

test("a number is an integer when it is a safe one, else a float", () => {
  const hex = (value: unknown): string =>
    Buffer.from(encodeRequestFrame({ id: 0, body: { a: value } }))
      .toString("hex")
      .slice(18);
  const expected: [unknown, string][] = [
    [0, "00"],
    [-0, "cb8000000000000000"],
    [127, "7f"],
    [128, "cc80"],
    [65_535, "cdffff"],
    [65_536, "ce00010000"],
    [2 ** 32, "cf0000000100000000"],
    [2 ** 53 - 1, "cf001fffffffffffff"],
    [2 ** 53, "cb4340000000000000"],
    [2n ** 53n, "cf0020000000000000"],
    [5n, "05"],
    [-32, "e0"],
    [-33, "d0df"],
    [-128, "d080"],
    [-129, "d1ff7f"],
    [-32_769, "d2ffff7fff"],
    [-(2 ** 31) - 1, "d3ffffffff7fffffff"],
    [1.5, "cb3ff8000000000000"],
    [new Float(1), "cb3ff0000000000000"],
    [Number.NaN, "cb7ff8000000000000"],
    [new Date(1.5e12), "d6ff59682f00"],
  ];
  for (const [value, bytes] of expected) assert.is(hex(value), bytes, String(value));
});

test("bytes are copied out of the payload", () => {
  const payload = encodeRequestFrame({ id: 0, body: { b: Uint8Array.of(1, 2, 3) } }).slice(4);
  const bytes = decodeRequestFrame(payload).body?.["b"] as Uint8Array;
  payload.fill(0);
  assert.equal(bytes, Uint8Array.of(1, 2, 3));
  assert.is(bytes.buffer.byteLength, 3);
});

test("an own key __proto__ stays data and pollutes nothing", () => {
  const body = roundTrip(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')).body;
  assert.equal(Object.keys(body ?? {}), ["__proto__", "constructor"]);
  assert.is(Object.getPrototypeOf(body), Object.prototype);
  assert.is((body as { polluted?: unknown }).polluted, undefined);
  assert.is(({} as { polluted?: unknown }).polluted, undefined);
});

test("undefined is left out of a map", () => {
  assert.equal(roundTrip({ a: undefined, b: 1 }).body, { b: 1 });
  assert.equal(roundTrip(new Map([["a", undefined]])).body, {});
});

test.run();
