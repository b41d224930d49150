import { readFileSync } from "node:fs";
import {
  decodeRequestFrame,
  decodeResponseFrame,
  encodeRequestFrame,
  encodeResponseFrame,
  FrameDecoder,
  Timestamp,
  type WireValue,
} from "@parlance/framing";
import { fromHex, toHex } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

interface Golden {
  readonly airflow: string;
  readonly from: string;
  readonly direction: "to-task" | "to-supervisor";
  readonly hex: string;
  readonly decoded?: readonly [id: number, body: unknown, third?: unknown];
}

const url = new URL("../../test/data/golden-frames.jsonl", import.meta.url);
const recorded = readFileSync(url, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Golden);

function payloadOf(golden: Golden): Uint8Array {
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 32 - 1 });
  const [payload, ...more] = decoder.push(fromHex(golden.hex));
  decoder.end();
  assert.is(more.length, 0);
  return payload as Uint8Array;
}

/** As the recorder wrote it: date-times as text ending in Z. */
function asRecorded(value: WireValue): unknown {
  if (value instanceof Timestamp) return value.toISOString().replace("+00:00", "Z");
  if (Array.isArray(value)) return value.map(asRecorded);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asRecorded(item)]));
}

test("what stock Airflow wrote decodes to what msgspec read", () => {
  let compared = 0;
  for (const golden of recorded) {
    if (golden.decoded === undefined) continue;
    const [id, body, third = null] = golden.decoded;
    const payload = payloadOf(golden);
    const frame =
      golden.direction === "to-task" ? decodeResponseFrame(payload) : decodeRequestFrame(payload);
    assert.equal(Number(frame.id), id, golden.from);
    assert.equal(asRecorded(frame.body), body, golden.from);
    assert.equal("error" in frame ? asRecorded(frame.error) : frame.carrier, third, golden.from);
    compared++;
  }
  assert.ok(compared > 60, `only ${compared} frames were compared`);
});

test("it is encoded again to the same bytes", () => {
  let same = 0;
  for (const golden of recorded) {
    const payload = payloadOf(golden);
    // The recorded Node children wrote counts in 4 bytes, and one probe sent a fourth element.
    if (payload[0] === 0xdd || payload[0] === 0x94) continue;
    const again =
      golden.direction === "to-task"
        ? encodeResponseFrame(decodeResponseFrame(payload, { wrapFloats: true }))
        : encodeRequestFrame(decodeRequestFrame(payload, { wrapFloats: true }));
    assert.is(toHex(again), golden.hex, golden.from);
    same++;
  }
  assert.ok(same > 60, `only ${same} frames were compared`);
});

test.run();
