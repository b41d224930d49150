import { isAscii } from "node:buffer";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Text of UTF-8 bytes, a byte order mark kept.
 *
 * @throws RangeError for bytes that are no UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  if (!(bytes instanceof Uint8Array)) {
    throw new RangeError(`expected bytes, not ${bytes === null ? "null" : typeof bytes}`);
  }
  if (isAscii(bytes)) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  }
  try {
    return strict.decode(bytes);
  } catch {
    throw new RangeError("they are no UTF-8 text");
  }
}
