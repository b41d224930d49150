const MANTISSA_LIMIT = 2n ** 53n;
const MIN_QUANTUM = -1074;
const MAX_QUANTUM = 971;

/**
 * The double nearest to `numerator / denominator`, ties to even, as IEEE 754 rounds: gradual
 * underflow down to 0, Infinity above the largest double.
 *
 * @param numerator - any whole number
 * @param denominator - above 0
 */
export function roundRatio(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return -roundRatio(-numerator, denominator);
  if (numerator === 0n) return 0;
  const exponent = bitLength(numerator) - bitLength(denominator);
  // The quotient lies between 2^(exponent-1) and 2^(exponent+1): in this unit it has 53 or 54 bits.
  let quantum = Math.max(exponent - 53, MIN_QUANTUM);
  let { quotient, remainder, divisor } = divide(numerator, denominator, quantum);
  if (quotient >= MANTISSA_LIMIT) {
    quantum += 1;
    ({ quotient, remainder, divisor } = divide(numerator, denominator, quantum));
  }
  if (quantum > MAX_QUANTUM) return Number.POSITIVE_INFINITY;
  const twice = 2n * remainder;
  if (twice > divisor || (twice === divisor && (quotient & 1n) === 1n)) quotient += 1n;
  // Exact, or Infinity: the quotient fits 53 bits, or is 2^53.
  return Number(quotient) * 2 ** quantum;
}

function divide(
  numerator: bigint,
  denominator: bigint,
  quantum: number,
): { quotient: bigint; remainder: bigint; divisor: bigint } {
  const dividend = quantum < 0 ? numerator << BigInt(-quantum) : numerator;
  const divisor = quantum > 0 ? denominator << BigInt(quantum) : denominator;
  return { quotient: dividend / divisor, remainder: dividend % divisor, divisor };
}

/** How many bits a whole number above 0 has. */
export function bitLength(value: bigint): number {
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}
