import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import {
  decodeRequestFrame,
  decodeResponseFrame,
  encodeRequestFrame,
  encodeResponseFrame,
  FrameDecoder,
  FrameError,
  type RequestFrame,
  type ResponseFrame,
} from "@parlance/framing";
import { bytesEqual } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Case, readCase, rechunk, toChunks } from "../support/chunks.ts";
import { toNotation } from "../support/notation.ts";

interface ExpectedFrame {
  readonly id: number;
  readonly body: unknown;
  readonly error?: unknown;
  readonly context_carrier?: unknown;
}

interface Expected {
  readonly frames: readonly ExpectedFrame[] | number;
  readonly end: string;
  readonly value_length?: number;
  readonly value_sha256?: string;
}

type FrameCase = Case<Expected>;

/** The code that each stream of the cases ends with; those not named end cleanly. */
const CODES: Readonly<Record<string, string>> = {
  "FRM-04": "truncated",
  "FRM-05": "truncated",
  "FRM-08": "truncated",
  "FRM-09": "not-msgpack",
  "FRM-18": "not-msgpack",
  "FRM-22": "bad-body",
  "FRM-24": "not-msgpack",
  "FRM-26": "trailing-bytes",
  "FRM-28": "bad-arity",
};

/** Wide integers, a key twice; and a mebibyte is too much for a list of arguments. */
const NOT_CANONICAL: ReadonlySet<string> = new Set(["FRM-14", "FRM-31", "FRM-33"]);

const IDS = readdirSync(new URL("../../test/cases", import.meta.url))
  .filter((name) => name.startsWith("FRM-"))
  .map((name) => name.replace(".json", ""));

for (const id of IDS) {
  const frameCase = readCase<Expected>(id);
  test(`${id}: ${frameCase.title}`, () => {
    const chunks = toChunks(frameCase.input.chunks_hex);
    check(frameCase, readStream(frameCase, chunks));
    const whole = Buffer.concat(chunks);
    check(frameCase, readStream(frameCase, [whole]));
    check(frameCase, readStream(frameCase, rechunk(whole, whole.length > 10_000 ? 977 : 1)));
  });
}

test("all 25 frame cases are here", () => {
  assert.is(IDS.length, 25);
});

interface Outcome {
  readonly frames: (RequestFrame | ResponseFrame)[];
  readonly payloads: Uint8Array[];
  code?: string;
}

function toSupervisor(frameCase: FrameCase): boolean {
  return frameCase.input.direction === "runtime_to_supervisor";
}

function readStream(frameCase: FrameCase, chunks: readonly Uint8Array[]): Outcome {
  const outcome: Outcome = { frames: [], payloads: [] };
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 32 - 1 });
  const decode = toSupervisor(frameCase) ? decodeRequestFrame : decodeResponseFrame;
  try {
    for (const chunk of chunks) {
      for (const payload of decoder.push(chunk)) {
        outcome.frames.push(decode(payload));
        outcome.payloads.push(payload);
      }
    }
    decoder.end();
  } catch (error) {
    assert.instance(error, FrameError);
    outcome.code = (error as FrameError).code;
  }
  return outcome;
}

function check(frameCase: FrameCase, outcome: Outcome): void {
  const { frames: expected, value_length: length, value_sha256: digest } = frameCase.expected;
  assert.is(outcome.code, CODES[frameCase.id]);
  if (frameCase.id === "FRM-12") checkDepth(outcome.frames[0], 300);
  else if (typeof expected !== "number") {
    assert.equal(outcome.frames.map(asExpected), expected.map(withoutOptional));
  } else {
    assert.is(outcome.frames.length, expected);
    const text = outcome.frames[0]?.body?.["v"] as string;
    assert.is(text.length, length);
    assert.is(createHash("sha256").update(text).digest("hex"), digest);
  }
  if (!NOT_CANONICAL.has(frameCase.id)) checkReencoded(frameCase, outcome);
}

/** Canonical frames come out of the encoder as they came in. */
function checkReencoded(frameCase: FrameCase, outcome: Outcome): void {
  outcome.frames.forEach((frame, index) => {
    const encoded = toSupervisor(frameCase)
      ? encodeRequestFrame(frame as RequestFrame)
      : encodeResponseFrame(frame as ResponseFrame);
    bytesEqual(encoded.subarray(4), withError(frameCase, outcome.payloads[index] as Uint8Array));
  });
}

/** Some cases leave the error element away, which we always write. */
function withError(frameCase: FrameCase, payload: Uint8Array): Uint8Array {
  if (toSupervisor(frameCase) || payload[0] !== 0x92) return payload;
  return Uint8Array.of(0x93, ...payload.subarray(1), 0xc0);
}

function checkDepth(frame: RequestFrame | ResponseFrame | undefined, depth: number): void {
  let level = 0;
  let value: unknown = frame?.body;
  for (; typeof value === "object" && value !== null; level++) value = (value as { a: unknown }).a;
  assert.is(level, depth);
}

function asExpected(frame: RequestFrame | ResponseFrame): unknown {
  const third = "error" in frame ? frame.error : frame.carrier;
  return { id: frame.id, body: toNotation(frame.body), third: toNotation(third) };
}

function withoutOptional(frame: ExpectedFrame): unknown {
  const third = frame.error ?? frame.context_carrier ?? null;
  return { id: frame.id, body: frame.body, third };
}

test("FRM-08: a limit refuses the announced size before anything of the body is read", () => {
  const decoder = new FrameDecoder({ maxFrameBytes: 1_048_576 });
  assert.equal(decoder.push(Buffer.from("10000000", "hex")), []);
  assert.is(decoder.failure?.code, "too-large");
});

test("FRM-08: announcing 256 MiB allocates nothing of it", () => {
  const before = process.memoryUsage.rss();
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 32 - 1 });
  decoder.push(Buffer.from("1000000081a161a162c0c0c0c0c0", "hex"));
  assert.is(decoder.pendingBytes, 10);
  assert.ok(process.memoryUsage.rss() - before < 32 * 1024 * 1024);
});

test("FRM-37: a JavaScript Map is written as a map", () => {
  const body = {
    m: new Map([
      ["a", 1],
      ["b", 2],
    ]),
  };
  const [chunk] = toChunks(readCase<Expected>("FRM-37").input.chunks_hex);
  bytesEqual(encodeRequestFrame({ id: 0, body }), chunk as Uint8Array);
});

test.run();
