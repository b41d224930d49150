import { isUtf8 } from "node:buffer";
import { FrameError } from "../frame-error.ts";

/** Up to this length, character codes gathered here are quicker than a call into native code. */
const SHORT = 16;
const REPLACEMENT = "\ufffd";

/**
 * Decodes UTF-8 strictly.
 *
 * @throws FrameError `not-msgpack` when the bytes are no UTF-8, or more than a string can hold
 */
export function readText(bytes: Buffer, start: number, end: number): string {
  if (end - start <= SHORT) {
    const text = readShortAscii(bytes, start, end - start);
    if (text !== undefined) return text;
  }
  let text: string;
  try {
    text = bytes.toString("utf8", start, end);
  } catch (cause) {
    throw new FrameError(
      "not-msgpack",
      `text of ${end - start} bytes is longer than a string can be`,
      { payloadOffset: start, cause },
    );
  }
  // Every fault becomes U+FFFD, so text without one is sound and only the rest needs a check.
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end))) {
    throw new FrameError("not-msgpack", `text of ${end - start} bytes is not UTF-8`, {
      payloadOffset: start,
    });
  }
  return text;
}

/** One call for all characters makes one flat string; appending them makes a chain to flatten. */
function readShortAscii(bytes: Buffer, at: number, length: number): string | undefined {
  const b0 = bytes[at] as number;
  const b1 = length > 1 ? (bytes[at + 1] as number) : 0;
  const b2 = length > 2 ? (bytes[at + 2] as number) : 0;
  const b3 = length > 3 ? (bytes[at + 3] as number) : 0;
  const b4 = length > 4 ? (bytes[at + 4] as number) : 0;
  const b5 = length > 5 ? (bytes[at + 5] as number) : 0;
  const b6 = length > 6 ? (bytes[at + 6] as number) : 0;
  const b7 = length > 7 ? (bytes[at + 7] as number) : 0;
  const b8 = length > 8 ? (bytes[at + 8] as number) : 0;
  const b9 = length > 9 ? (bytes[at + 9] as number) : 0;
  const b10 = length > 10 ? (bytes[at + 10] as number) : 0;
  const b11 = length > 11 ? (bytes[at + 11] as number) : 0;
  const b12 = length > 12 ? (bytes[at + 12] as number) : 0;
  const b13 = length > 13 ? (bytes[at + 13] as number) : 0;
  const b14 = length > 14 ? (bytes[at + 14] as number) : 0;
  const b15 = length > 15 ? (bytes[at + 15] as number) : 0;
  const all = b0 | b1 | b2 | b3 | b4 | b5 | b6 | b7 | b8 | b9 | b10 | b11 | b12 | b13 | b14 | b15;
  if (all >= 0x80) return undefined;
  const make = String.fromCharCode;
  switch (length) {
    case 0:
      return "";
    case 1:
      return make(b0);
    case 2:
      return make(b0, b1);
    case 3:
      return make(b0, b1, b2);
    case 4:
      return make(b0, b1, b2, b3);
    case 5:
      return make(b0, b1, b2, b3, b4);
    case 6:
      return make(b0, b1, b2, b3, b4, b5);
    case 7:
      return make(b0, b1, b2, b3, b4, b5, b6);
    case 8:
      return make(b0, b1, b2, b3, b4, b5, b6, b7);
    case 9:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8);
    case 10:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9);
    case 11:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10);
    case 12:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11);
    case 13:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12);
    case 14:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13);
    case 15:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14);
    default:
      return make(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15);
  }
}
