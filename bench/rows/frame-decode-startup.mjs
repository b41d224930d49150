import { readFileSync } from "node:fs";
import { decodeResponseFrame } from "../../packages/framing/dist/index.js";
import { interleave, microsecondsPerCall } from "../lib/interleave.mjs";

const GOLDEN = new URL("../../packages/framing/test/data/golden-frames.jsonl", import.meta.url);
const CALLS = 5_000;

/**
 * A frame that stock Airflow 3.3.2 sent, its date-times as timestamp extensions, decoded as a
 * frame that comes alone: without the cache of keys that a link keeps. The limit parses the same
 * value from text that is decoded already, and leaves the date-times as text.
 */
export const row = {
  name: "frame-decode-startup",
  what: "decode StartupDetails with timestamps, all checks on",
  against: "JSON.parse of the same value",
  must: 2.5,
  aim: 1.5,
  better: "lower",
  unit: "us",
  measure() {
    const { hex, decoded } = readFileSync(GOLDEN, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .find((frame) => frame.decoded?.[1]?.type === "StartupDetails");
    const payload = Buffer.from(hex, "hex").subarray(4);
    const text = JSON.stringify(decoded);
    return interleave({
      rounds: 21,
      warmUps: 3,
      ours: () => microsecondsPerCall(() => decodeResponseFrame(payload), CALLS),
      limit: () => microsecondsPerCall(() => JSON.parse(text), CALLS),
    });
  },
};
