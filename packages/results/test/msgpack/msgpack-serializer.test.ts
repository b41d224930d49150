import { createSerializer, Decimal, PythonFloat } from "@parlance/results";
import { bytesEqual, fromHex, throws, toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const msgpack = await createSerializer("msgpack");
const exact = await createSerializer("msgpack", { wrapFloats: true, keepKeyOrder: true });

test("ints take the shortest form, floats always eight bytes", () => {
  const forms: readonly (readonly [unknown, string])[] = [
    [127, "7f"],
    [128, "cc80"],
    [256, "cd0100"],
    [65536, "ce00010000"],
    [2 ** 32, "cf0000000100000000"],
    [2n ** 64n - 1n, "cfffffffffffffffff"],
    [5n, "05"],
    [-1, "ff"],
    [-33, "d0df"],
    [-129, "d1ff7f"],
    [-32769, "d2ffff7fff"],
    [-(2 ** 31) - 1, "d3ffffffff7fffffff"],
    [new PythonFloat(1), "cb3ff0000000000000"],
    [-0, "cb8000000000000000"],
    [NaN, "cb7ff8000000000000"],
    ["é", "a2c3a9"],
    [Uint8Array.of(1), "c40101"],
    [[undefined, null], "92c0c0"],
    [{ a: undefined, b: true }, "81a162c3"],
  ];
  for (const [value, hex] of forms) assert.is(toHex(msgpack.encode(value)), hex);
});

test("lengths choose their heads, and long values grow the buffer", () => {
  for (const size of [31, 32, 255, 256, 65_535, 65_536]) {
    const text = "x".repeat(size);
    const bytes = new Uint8Array(size).fill(7);
    const value = msgpack.decode(msgpack.encode([text, bytes, new Array(size).fill(1)]));
    const [readText, readBytes, items] = value as [string, Uint8Array, number[]];
    assert.ok(readText === text && items.length === size);
    bytesEqual(readBytes, bytes);
  }
  for (const size of [15, 16, 300]) {
    const map = Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, at]));
    assert.equal(msgpack.decode(msgpack.encode(map)), map);
  }
  const head = (value: unknown) => toHex(msgpack.encode(value).subarray(0, 3));
  assert.equal([head("x".repeat(32)), head("x".repeat(256))], ["d92078", "da0100"]);
  assert.equal([head(new Uint8Array(256)), head(new Array(16).fill(0))], ["c50100", "dc0010"]);
});

test("what Python's packer refuses is refused", () => {
  let deep: unknown = [];
  for (let level = 1; level < 511; level++) deep = [deep];
  msgpack.encode(deep);
  for (const value of [
    2n ** 64n,
    -(2n ** 63n) - 1n,
    "\ud800",
    new Date(),
    new Decimal("1"),
    new Set(),
    new Map([[1, 1]]),
    () => 1,
    [deep],
  ]) {
    throws(() => msgpack.encode(value), "cannot-encode");
  }
});

test("bytes that Python's unpacker refuses are refused, without allocating what they promise", () => {
  for (const hex of [
    "",
    "c1",
    "0000",
    "8101c0", // an int as key
    "81c0c0",
    "a1ff", // no UTF-8
    "a3eda080", // a surrogate
    "ddffffffff",
    "dfffffffff00",
    "dbffffffff61",
    "c6ffffffff00",
    "d6ff00000000", // a timestamp extension
    "c7000a",
    "cd01",
    "92c0",
    `${"91".repeat(1001)}c0`,
    "91".repeat(200_000),
  ]) {
    throws(() => msgpack.decode(fromHex(hex)), "cannot-decode");
  }
  throws(() => msgpack.decode([] as unknown as Uint8Array), "cannot-decode");
});

test("values read back exactly", () => {
  assert.equal(msgpack.decode(fromHex("cb3ff0000000000000")), 1);
  assert.equal(exact.decode(fromHex("cb3ff0000000000000")), new PythonFloat(1));
  assert.is(msgpack.decode(fromHex("ca3f000000")), 0.5);
  assert.is(msgpack.decode(fromHex("cf0020000000000001")), 2n ** 53n + 1n);
  assert.is(msgpack.decode(fromHex("d3ffffffffffffffff")), -1);
  assert.equal(msgpack.decode(fromHex("82a16101a16102")), { a: 2 });
  assert.equal(msgpack.decode(fromHex("81c4016101")), new Map([[Uint8Array.of(0x61), 1]]));
  const odd = msgpack.decode(fromHex("81a95f5f70726f746f5f5f01")) as object;
  assert.equal(Object.entries(odd), [["__proto__", 1]]);
  assert.equal(
    [...(exact.decode(fromHex("82a16201a13102")) as Map<string, number>).keys()],
    ["b", "1"],
  );
});

test.run();
