import { encodeRequestFrame, FrameDecoder } from "@parlance/framing";
import { bytesEqual, cpuMs, load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { rechunk } from "../support/chunks.ts";

const UNLIMITED = { maxFrameBytes: 2 ** 32 - 1 };

function frameOf(payload: Uint8Array): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(payload.length);
  return Buffer.concat([prefix, payload]);
}

test("any chunking of any frames gives the same payloads", () => {
  const payloads = fc.array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.integer({ min: 4000, max: 9000 }).map((length) => new Uint8Array(length).fill(length)),
    ),
    { maxLength: 12 },
  );
  const cuts = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 6000 })),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(payloads, cuts, (expected, sizes) => {
      const stream = Buffer.concat(expected.map(frameOf));
      const decoder = new FrameDecoder(UNLIMITED);
      const received: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = sizes[turn % sizes.length] as number;
        received.push(...decoder.push(Uint8Array.from(stream.subarray(at, at + size))));
        at += size;
      }
      decoder.end();
      assert.is(received.length, expected.length);
      for (const [index, payload] of received.entries()) {
        bytesEqual(payload, expected[index] as Uint8Array);
      }
      assert.is(decoder.offset, stream.length);
    }),
    { numRuns: load(2_000) },
  );
});

test("frames before a bad prefix are given, and the fault then stays", () => {
  const good = encodeRequestFrame({ id: 1, body: {} });
  const decoder = new FrameDecoder({ maxFrameBytes: 10 });
  const payloads = decoder.push(Buffer.concat([good, good, Buffer.from("0000000bff", "hex")]));
  assert.is(payloads.length, 2);
  assert.is(decoder.failure?.code, "too-large");
  assert.is(decoder.failure?.streamOffset, 2 * good.length);
  throws(() => decoder.push(good), "too-large");
  throws(() => decoder.end(), "too-large");
});

test("an empty frame is refused, cut in its prefix or not", () => {
  for (const size of [1, 4]) {
    const decoder = new FrameDecoder(UNLIMITED);
    for (const chunk of rechunk(new Uint8Array(4), size)) decoder.push(chunk);
    assert.is(decoder.failure?.code, "empty-frame");
  }
});

test("the limit itself is let in, one more byte is not", () => {
  const decoder = new FrameDecoder({ maxFrameBytes: 5 });
  assert.is(decoder.push(frameOf(new Uint8Array(5))).length, 1);
  decoder.push(frameOf(new Uint8Array(6)));
  assert.is(decoder.failure?.code, "too-large");
});

test("an end inside a prefix and inside a payload is told apart from a clean one", () => {
  const decoder = new FrameDecoder(UNLIMITED);
  decoder.end();
  for (const hex of ["00", "000000", "00000002", "0000000280"]) {
    const cut = new FrameDecoder(UNLIMITED);
    cut.push(Buffer.from(hex, "hex"));
    throws(() => cut.end(), "truncated");
  }
});

test("no chunk is copied more than once or twice: time grows with the size", () => {
  const splitMs = (mebibytes: number, chunkBytes: number): number => {
    const chunks = rechunk(frameOf(new Uint8Array(mebibytes * 1024 * 1024)), chunkBytes);
    const decoder = new FrameDecoder(UNLIMITED);
    return cpuMs(() => {
      let count = 0;
      for (const chunk of chunks) count += decoder.push(chunk).length;
      assert.is(count, 1);
    });
  };
  splitMs(1, 1447);
  // Joining anew for each chunk takes 24 s for the first of these, and this takes some 50 ms.
  assert.ok(splitMs(64, 65_536) < 3000);
  assert.ok(splitMs(8, 1447) < 3000);
  assert.ok(splitMs(1, 1) < 3000);
});

test("a payload does not hold on to a large chunk, nor a large block to a small payload", () => {
  const decoder = new FrameDecoder(UNLIMITED);
  let payloads: Uint8Array[] = [];
  for (const chunk of rechunk(frameOf(new Uint8Array(3)), 1)) payloads = decoder.push(chunk);
  assert.ok((payloads[0] as Uint8Array).buffer.byteLength <= 256);
});

test("large payloads leave in pieces, before what follows them, for any chunking", () => {
  const payloads = [3, 20_000, 5, 9_999, 10_000, 7].map((length) =>
    new Uint8Array(length).fill(length % 251),
  );
  const stream = Buffer.concat(payloads.map(frameOf));
  for (const size of [1, 7, 4096, 9_000, stream.length]) {
    const received: Uint8Array[] = [];
    const large: number[] = [];
    const decoder = new FrameDecoder({
      ...UNLIMITED,
      large: {
        minBytes: 10_000,
        onPayload: (pieces, payloadBytes) => {
          large.push(payloadBytes);
          received.push(Buffer.concat(pieces));
        },
      },
    });
    for (let at = 0; at < stream.length; at += size) {
      received.push(...decoder.push(Uint8Array.from(stream.subarray(at, at + size))));
    }
    assert.is(decoder.offset, stream.length);
    decoder.end();
    for (const [at, payload] of payloads.entries()) bytesEqual(received[at] as Uint8Array, payload);
    // What came in one chunk is one piece anyway.
    assert.equal(large, size === stream.length ? [] : [20_000, 10_000]);
  }
});

test("limits that make no sense are refused", () => {
  for (const maxFrameBytes of [0, -1, 1.5, Number.NaN, 2 ** 32]) {
    assert.throws(() => new FrameDecoder({ maxFrameBytes }), /maxFrameBytes/);
  }
});

test.run();
