import {
  decodeRequestFrame,
  decodeResponseFrame,
  encodeRequestFrame,
  encodeResponseFrame,
  type FrameError,
  type FrameErrorCode,
} from "@parlance/framing";
import { fromHex, load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

function nested(levels: number, opener: string): Uint8Array {
  // The frame's array is the first level, the body the second.
  return fromHex(`920081a161${opener.repeat(levels - 2)}c0`);
}

test("512 levels pass, 10,000 are refused, and the limit can be set", () => {
  for (const opener of ["81a161", "91", "81c0"]) {
    decodeRequestFrame(nested(512, opener));
    decodeRequestFrame(nested(1024, opener));
    throws(() => decodeRequestFrame(nested(1025, opener)), "not-msgpack");
    throws(() => decodeRequestFrame(nested(10_000, opener)), "not-msgpack");
    throws(() => decodeRequestFrame(nested(20, opener), { maxDepth: 19 }), "not-msgpack");
    decodeRequestFrame(nested(20, opener), { maxDepth: 20 });
  }
});

test("512 levels are written, a cycle and 10,000 levels are refused", () => {
  let deep: object = {};
  for (let level = 0; level < 512; level++) deep = { a: deep };
  decodeRequestFrame(encodeRequestFrame({ id: 0, body: deep }).subarray(4));
  for (let level = 0; level < 9500; level++) deep = { a: deep };
  throws(() => encodeRequestFrame({ id: 0, body: deep }), "cannot-encode");
  const cycle: Record<string, unknown> = {};
  cycle["again"] = [cycle];
  const error = throws(() => encodeRequestFrame({ id: 0, body: cycle }), "cannot-encode");
  assert.match(error.message, /inside itself/);
  assert.ok(error.message.length < 300);
});

test("a count that the bytes cannot fill is refused before anything is allocated", () => {
  const announced = ["dd7fffffff", "df7fffffff", "ddffffffff", "dcffff", "deffff", "9291929192"];
  for (const hex of announced) {
    throws(() => decodeResponseFrame(fromHex(`9200${hex}`)), "not-msgpack");
  }
  // Each level announces what the bytes left could hold, but all together could not.
  const level = "dc0400";
  const bytes = fromHex(`9200${level.repeat(500)}${"c0".repeat(1100)}`);
  throws(() => decodeResponseFrame(bytes), "not-msgpack");
});

test("the number of elements is limited", () => {
  const list = encodeResponseFrame({ id: 0, body: { v: new Array(100).fill(null) } }).subarray(4);
  decodeResponseFrame(list, { maxElements: 105 }); // 3 of the frame, 2 of the body, 100
  throws(() => decodeResponseFrame(list, { maxElements: 104 }), "not-msgpack");
});

const REFUSED: readonly (readonly [hex: string, code: FrameErrorCode, what: string])[] = [
  ["", "not-msgpack", "nothing"],
  ["c1", "not-msgpack", "the byte that is never used"],
  ["9200", "not-msgpack", "an element missing"],
  ["9200c1", "not-msgpack", "the byte that is never used, inside"],
  ["920081a16bc1", "not-msgpack", "the same deeper"],
  ["9200a5616263", "not-msgpack", "text cut off"],
  ["9200c7", "not-msgpack", "an extension without its length"],
  ["9200c70c", "not-msgpack", "an extension without its type"],
  ["9200d6ff6a30", "not-msgpack", "a timestamp cut off"],
  ["920081a174c703ff000000", "not-msgpack", "a timestamp of 3 bytes"],
  ["920081a174d4ff00", "not-msgpack", "a timestamp of 1 byte"],
  ["920081a174c70cff3b9aca000000000000000000", "not-msgpack", "10^9 ns in 12 bytes"],
  ["9200cf00", "not-msgpack", "an integer cut off"],
  ["920081a161a1ff", "not-msgpack", "bad UTF-8"],
  ["920081a1ff01", "not-msgpack", "bad UTF-8 in a key"],
  ["920081a161a3eda080", "not-msgpack", "a surrogate as UTF-8"],
  ["920081a161a2c080", "not-msgpack", "an overlong form"],
  ["920081a161a4f4908080", "not-msgpack", "a code point beyond U+10FFFF"],
  ["9200c0c0", "trailing-bytes", "one more value"],
  ["80", "bad-arity", "a map"],
  ["05", "bad-arity", "a number"],
  ["90", "bad-arity", "an empty array"],
  ["9100", "bad-arity", "an id alone"],
  ["92a130c0", "bad-id", "text as id"],
  ["92c0c0", "bad-id", "nil as id"],
  ["92c2c0", "bad-id", "a boolean as id"],
  ["92cb3ff0000000000000c0", "bad-id", "a whole float as id"],
  ["92ca3f800000c0", "bad-id", "a whole float32 as id"],
  ["9200a0", "bad-body", "text as body"],
  ["920090", "bad-body", "an array as body"],
  ["92008101c0", "bad-body", "an integer key"],
  ["920082a161c0c0c0", "bad-body", "one key that is not text"],
  ["9200d6ff00000000", "bad-body", "a timestamp as body"],
  ["9200c40100", "bad-body", "bytes as body"],
  ["9300c0a0", "bad-carrier", "text as carrier"],
  ["9300c081a16101", "bad-carrier", "a number in the carrier"],
  ["9300c08101a161", "bad-carrier", "an integer key in the carrier"],
];

for (const [hex, code, what] of REFUSED) {
  test(`refused as ${code}: ${what} (${hex})`, () => {
    throws(() => decodeRequestFrame(fromHex(hex)), code);
    if (code !== "bad-body") return;
    throws(() => decodeRequestFrame(fromHex(hex), { maps: "map" }), code);
    throws(() => decodeResponseFrame(fromHex(hex)), code);
    throws(() => decodeResponseFrame(fromHex(`9300c0${hex.slice(4)}`)), code);
  });
}

test("missing elements are null, further ones are read and ignored", () => {
  assert.equal(decodeResponseFrame(fromHex("9105")), { id: 5, body: null, error: null });
  assert.equal(decodeResponseFrame(fromHex("920580")), { id: 5, body: {}, error: null });
  assert.equal(decodeRequestFrame(fromHex("9205c0")), { id: 5, body: null, carrier: null });
  assert.equal(decodeRequestFrame(fromHex("9405c081a161a162a56578747261")), {
    id: 5,
    body: null,
    carrier: { a: "b" },
  });
  throws(() => decodeRequestFrame(fromHex("9405c0c0c1")), "not-msgpack");
});

test("ids are any integers", () => {
  for (const id of [0, -5, 2 ** 40, 2n ** 63n, -(2n ** 63n), 2n ** 64n - 1n]) {
    assert.is(decodeRequestFrame(encodeRequestFrame({ id, body: null }).subarray(4)).id, id);
  }
});

test("U+FFFD itself is text like any other", () => {
  const body = { v: `x\ufffd${"\ufffd".repeat(40)}` };
  assert.equal(decodeResponseFrame(encodeResponseFrame({ id: 0, body }).subarray(4)).body, body);
});

test("bytes at random are decoded or refused with a code, never anything else", () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .uint8Array({ maxLength: 60 })
      .map((bytes) => Uint8Array.of(0x92, 0, 0x81, 0xa1, 0x61, ...bytes)),
  );
  fc.assert(
    fc.property(payload, (bytes) => {
      try {
        const frame = decodeRequestFrame(bytes, { wrapFloats: true });
        decodeRequestFrame(encodeRequestFrame(frame).subarray(4));
      } catch (error) {
        assert.type((error as FrameError).code, "string", String(error));
      }
    }),
    { numRuns: load(40_000) },
  );
});

test.run();
