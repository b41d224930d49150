// Up to these, a remainder moved up by so many bits, and the bits added, stay below 2^53.
const BY_WORDS = 2 ** 21;
const BY_HALF_WORDS = 2 ** 37;

/**
 * A 160-bit hash, read as one big-endian number, modulo a whole number of at least 1. The nearest
 * double where the remainder is 2^53 or more (which then is beyond any cap).
 */
export function hashModulo(words: Uint32Array, modulus: number): number {
  if (modulus <= BY_WORDS) {
    let remainder = 0;
    for (const word of words) remainder = (remainder * 2 ** 32 + word) % modulus;
    return remainder;
  }
  if (modulus <= BY_HALF_WORDS) {
    let remainder = 0;
    for (const word of words) {
      remainder = (remainder * 2 ** 16 + (word >>> 16)) % modulus;
      remainder = (remainder * 2 ** 16 + (word & 0xffff)) % modulus;
    }
    return remainder;
  }
  let hash = 0n;
  for (const word of words) hash = (hash << 32n) | BigInt(word);
  return Number(hash % BigInt(modulus));
}
