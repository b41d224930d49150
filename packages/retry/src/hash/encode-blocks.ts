import { RetryError } from "../errors.ts";

/**
 * The blocks that SHA-1 reads, 16 big-endian words each: the UTF-8 bytes of `text`, a bit 1, zeros, and the
 * length in bits.
 *
 * @throws {@link RetryError} `lone-surrogate`
 */
export function encodeBlocks(text: string): Int32Array {
  const length = utf8Length(text);
  const words = new Int32Array((((length + 8) >> 6) + 1) * 16);
  if (length === text.length) writeAscii(words, text);
  else writeUtf8(words, text);
  writeByte(words, length, 0x80);
  words[words.length - 1] = length * 8;
  return words;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) length += code < 0x800 ? 1 : 2;
    if (code < 0xd800 || code > 0xdfff) continue;
    if ((text.codePointAt(i) as number) <= 0xffff) throw loneSurrogate(code);
    i += 1; // four bytes for two units
  }
  return length;
}

function writeAscii(words: Int32Array, text: string): void {
  const whole = text.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    words[i >> 2] =
      (text.charCodeAt(i) << 24) |
      (text.charCodeAt(i + 1) << 16) |
      (text.charCodeAt(i + 2) << 8) |
      text.charCodeAt(i + 3);
  }
  for (let i = whole; i < text.length; i++) writeByte(words, i, text.charCodeAt(i));
}

function writeUtf8(words: Int32Array, text: string): void {
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) as number;
    if (code < 0x80) {
      writeByte(words, at++, code);
      continue;
    }
    if (code > 0xffff) {
      i += 1;
      writeByte(words, at++, 0xf0 | (code >> 18));
      writeByte(words, at++, 0x80 | ((code >> 12) & 0x3f));
    } else if (code >= 0x800) {
      writeByte(words, at++, 0xe0 | (code >> 12));
    }
    writeByte(words, at++, code < 0x800 ? 0xc0 | (code >> 6) : 0x80 | ((code >> 6) & 0x3f));
    writeByte(words, at++, 0x80 | (code & 0x3f));
  }
}

function writeByte(words: Int32Array, at: number, byte: number): void {
  words[at >> 2] = (words[at >> 2] as number) | (byte << (24 - ((at & 3) << 3)));
}

function loneSurrogate(code: number): RetryError {
  const unit = code.toString(16).toUpperCase();
  return new RetryError(
    "lone-surrogate",
    `a Dag or task id holds half of a surrogate pair (U+${unit}); it has no UTF-8 form to be hashed`,
  );
}
