import { encodeBlocks } from "./encode-blocks.ts";

/** A SHA-1 digest: five unsigned 32-bit words, the first the most significant. */
export type Digest = readonly [number, number, number, number, number];

/**
 * SHA-1 of the UTF-8 bytes of `text`.
 *
 * Our own, because the text is one or two blocks long: a call of `node:crypto` costs several times as much
 * as the hash itself, and a browser has none that answers at once. Nothing is kept secret by it.
 *
 * @throws RetryError `lone-surrogate` when the text has no UTF-8 form
 */
export function sha1(text: string): Digest {
  const words = encodeBlocks(text);
  let h0 = 0x67452301;
  let h1 = 0xefcdab89 | 0;
  let h2 = 0x98badcfe | 0;
  let h3 = 0x10325476;
  let h4 = 0xc3d2e1f0 | 0;
  for (let block = 0; block < words.length; block += 16) {
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    let step = 0;
    // Four rounds of twenty steps, apart in their function and constant. As one loop it took a third longer.
    for (; step < 16; step++) {
      const next =
        (((a << 5) | (a >>> 27)) +
          (d ^ (b & (c ^ d))) +
          e +
          (words[block + step] as number) +
          0x5a827999) |
        0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; step < 20; step++) {
      const next =
        (((a << 5) | (a >>> 27)) +
          (d ^ (b & (c ^ d))) +
          e +
          expand(words, block, step) +
          0x5a827999) |
        0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; step < 40; step++) {
      const next =
        (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + expand(words, block, step) + 0x6ed9eba1) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; step < 60; step++) {
      const next =
        (((a << 5) | (a >>> 27)) +
          ((b & c) | (d & (b | c))) +
          e +
          expand(words, block, step) +
          0x8f1bbcdc) |
        0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; step < 80; step++) {
      const next =
        (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + expand(words, block, step) + 0xca62c1d6) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  return [h0 >>> 0, h1 >>> 0, h2 >>> 0, h3 >>> 0, h4 >>> 0];
}

/** The word of a step past the 16th, which takes the place of the one it no longer needs: no second array. */
function expand(words: Int32Array, block: number, step: number): number {
  const mixed =
    (words[block + ((step - 3) & 15)] as number) ^
    (words[block + ((step - 8) & 15)] as number) ^
    (words[block + ((step - 14) & 15)] as number) ^
    (words[block + (step & 15)] as number);
  const word = (mixed << 1) | (mixed >>> 31);
  words[block + (step & 15)] = word;
  return word;
}
