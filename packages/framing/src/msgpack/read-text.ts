import { isUtf8 } from "node:buffer";
import { FrameError } from "../frame-error.ts";

/** Up to this length, character codes gathered here are quicker than a call into native code. */
const SHORT = 8;
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
  if ((b0 | b1 | b2 | b3 | b4 | b5 | b6 | b7) >= 0x80) return undefined;
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
    default:
      return make(b0, b1, b2, b3, b4, b5, b6, b7);
  }
}
