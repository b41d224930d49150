import { existsSync, readFileSync } from "node:fs";
import {
  decodeRequestFrame,
  Float,
  FrameDecoder,
  type FrameId,
  Timestamp,
} from "@parlance/framing";

/** A frame that a task sent; values are plain JSON, date-times ISO text and whole floats marked. */
export interface SentFrame {
  readonly id: FrameId;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly carrier: unknown;
}

const HEAD_BYTES = 5;
const TO_SUPERVISOR = 1;

/** What a recording of a warm runner has of the task's side, frame by frame. */
export function readSentFrames(file: string): readonly SentFrame[] {
  const decoder = new FrameDecoder({ maxFrameBytes: 2 ** 30 });
  const frames: SentFrame[] = [];
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  for (let at = 0; at < bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32BE(at + 1);
    const piece = bytes.subarray(at + HEAD_BYTES, end);
    if (bytes[at] === TO_SUPERVISOR) frames.push(...decoder.push(piece).map(readFrame));
    at = end;
  }
  return frames;
}

function readFrame(payload: Uint8Array): SentFrame {
  const { id, body, carrier } = decodeRequestFrame(payload, { wrapFloats: true });
  const plain = toPlain(body) as Record<string, unknown>;
  return { id, type: String(plain["type"]), body: plain, carrier };
}

function toPlain(value: unknown): unknown {
  if (value instanceof Timestamp) return { $time: value.toISOString() };
  if (value instanceof Float) return { $float: value.value };
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [String(key), toPlain(item)]));
}
