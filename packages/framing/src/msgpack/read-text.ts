import { isUtf8 } from "node:buffer";
import { FrameError } from "../frame-error.ts";

/** Below this, character codes gathered here are quicker than a call into native code. */
const SHORT = 16;
const REPLACEMENT = "\ufffd";

/**
 * Decodes UTF-8 strictly.
 *
 * @throws FrameError `not-msgpack` when the bytes are no UTF-8, or more than a string can hold
 */
export function readText(bytes: Buffer, start: number, end: number): string {
  if (end - start < SHORT) {
    const text = readShortAscii(bytes, start, end);
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

function readShortAscii(bytes: Buffer, start: number, end: number): string | undefined {
  let text = "";
  for (let offset = start; offset < end; offset++) {
    const byte = bytes[offset] as number;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
