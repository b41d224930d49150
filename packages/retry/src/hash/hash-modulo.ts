import type { Digest } from "./sha1.ts";

// Up to these, a remainder moved up by so many bits, and the bits added, stay below 2^53.
const BY_WORDS = 2 ** 21;
const BY_HALF_WORDS = 2 ** 37;

/**
 * A digest, read as one big-endian number of 160 bits, modulo a whole number of at least 1. The nearest
 * double where the remainder is 2^53 or more (which then is beyond any cap).
 */
export function hashModulo(digest: Digest, modulus: number): number {
  if (modulus <= BY_WORDS) {
    let rest = 0;
    for (const word of digest) rest = remainder(rest * 2 ** 32 + word, modulus);
    return rest;
  }
  if (modulus <= BY_HALF_WORDS) {
    let rest = 0;
    for (const word of digest) {
      rest = remainder(rest * 2 ** 16 + (word >>> 16), modulus);
      rest = remainder(rest * 2 ** 16 + (word & 0xffff), modulus);
    }
    return rest;
  }
  let hash = 0n;
  for (const word of digest) hash = (hash << 32n) | BigInt(word);
  return Number(hash % BigInt(modulus));
}

/** `%` of doubles takes a step for each bit of the quotient; the division can only be one too high. */
function remainder(value: number, modulus: number): number {
  const rest = value - Math.floor(value / modulus) * modulus;
  return rest < 0 ? rest + modulus : rest;
}
