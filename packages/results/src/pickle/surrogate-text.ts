import { decodeUtf8 } from "../values/utf8.ts";

/**
 * Text as pickles hold it: UTF-8 in which a lone surrogate has its three bytes.
 *
 * @throws RangeError for any other bytes
 */
export function decodeSurrogateText(bytes: Buffer): string {
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    let text = "";
    let start = 0;
    for (let at = bytes.indexOf(0xed); at !== -1; at = bytes.indexOf(0xed, at + 1)) {
      const second = bytes[at + 1] ?? 0;
      const third = bytes[at + 2] ?? 0;
      if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
      text += decodeUtf8(bytes.subarray(start, at));
      text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
      start = at + 3;
    }
    if (start === 0) throw error;
    return text + decodeUtf8(bytes.subarray(start));
  }
}
