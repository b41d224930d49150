import { RetryError } from "../errors.ts";

/**
 * SHA-1 of the UTF-8 bytes of `text`: five 32-bit words, the first the most significant.
 *
 * Our own, because the text is one or two blocks long: a call of `node:crypto` costs three times as
 * much as the hash itself (bench row `retry-delay`), and there is none in a browser that answers at once. Nothing
 * is kept secret by it.
 *
 * @throws {@link RetryError} `lone-surrogate` when the text has no UTF-8 form
 */
export function sha1(text: string): Uint32Array {
  const message = encodeBlocks(text);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const schedule = new Int32Array(80);
  for (let at = 0; at < message.length; at += 16) mixBlock(state, message, at, schedule);
  return state;
}

function mixBlock(state: Uint32Array, message: Int32Array, at: number, w: Int32Array): void {
  for (let i = 0; i < 16; i++) w[i] = message[at + i] as number;
  for (let i = 16; i < 80; i++) {
    const mixed =
      (w[i - 3] as number) ^ (w[i - 8] as number) ^ (w[i - 14] as number) ^ (w[i - 16] as number);
    w[i] = (mixed << 1) | (mixed >>> 31);
  }
  let a = (state[0] as number) | 0;
  let b = (state[1] as number) | 0;
  let c = (state[2] as number) | 0;
  let d = (state[3] as number) | 0;
  let e = (state[4] as number) | 0;
  // Four rounds of twenty steps, apart in their function and constant.
  for (let i = 0; i < 20; i++) {
    const step =
      (((a << 5) | (a >>> 27)) + ((b & c) | (~b & d)) + e + (w[i] as number) + 0x5a827999) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = step;
  }
  for (let i = 20; i < 40; i++) {
    const step = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + (w[i] as number) + 0x6ed9eba1) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = step;
  }
  for (let i = 40; i < 60; i++) {
    const step =
      (((a << 5) | (a >>> 27)) +
        ((b & c) | (b & d) | (c & d)) +
        e +
        (w[i] as number) +
        0x8f1bbcdc) |
      0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = step;
  }
  for (let i = 60; i < 80; i++) {
    const step = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + (w[i] as number) + 0xca62c1d6) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = step;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
}

/** UTF-8, a bit 1, zeros, and the length in bits: whole blocks of 16 words. */
function encodeBlocks(text: string): Int32Array {
  const blocks = new Int32Array((((text.length * 3 + 8) >> 6) + 1) * 16);
  let length = 0;
  const push = (byte: number): void => {
    blocks[length >> 2] = (blocks[length >> 2] as number) | (byte << (24 - ((length & 3) << 3)));
    length += 1;
  };
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      push(code);
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      code = text.codePointAt(i) as number;
      if (code <= 0xffff) throw loneSurrogate(code);
      i += 1;
      push(0xf0 | (code >> 18));
      push(0x80 | ((code >> 12) & 0x3f));
    } else if (code >= 0x800) {
      push(0xe0 | (code >> 12));
    }
    if (code >= 0x800) push(0x80 | ((code >> 6) & 0x3f));
    else push(0xc0 | (code >> 6));
    push(0x80 | (code & 0x3f));
  }
  const bits = length * 8;
  push(0x80);
  const used = (((length + 7) >> 6) + 1) * 16;
  blocks[used - 1] = bits;
  return blocks.subarray(0, used);
}

function loneSurrogate(code: number): RetryError {
  return new RetryError(
    "lone-surrogate",
    `a Dag or task id holds half of a surrogate pair (U+${code.toString(16).toUpperCase()}); it has no UTF-8 form to be hashed`,
  );
}
