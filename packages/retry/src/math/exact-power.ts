import { bitLength, roundRatio } from "./round-ratio.ts";

// Past these the result is Infinity or 0 however it is rounded; they keep the numbers small.
const OVERFLOW_LOG2 = 1100;
const UNDERFLOW_LOG2 = -1200;
const FIRST_PRECISION = 160;

/**
 * `base ** exponent` rounded once, half to even, with whole numbers as long as it takes.
 *
 * A lower and an upper bound are kept in so many bits; when both round to the same double, that
 * is the answer, else the number of bits is doubled. This ends: only a power that fits in the
 * bits kept can lie exactly between two doubles, and such a power is not rounded on the way.
 *
 * @param base - finite and above 0
 * @param exponent - any safe integer
 */
export function exactPower(base: number, exponent: number): number {
  if (exponent === 0) return 1;
  const log2 = Math.log2(base) * exponent;
  if (log2 > OVERFLOW_LOG2) return Number.POSITIVE_INFINITY;
  if (log2 < UNDERFLOW_LOG2) return 0;
  const parts = decompose(base);
  const count = Math.abs(exponent);
  for (let precision = FIRST_PRECISION + bitLength(BigInt(count)); ; precision *= 2) {
    const low = toDouble(power(parts, count, precision, false), exponent < 0);
    const high = toDouble(power(parts, count, precision, true), exponent < 0);
    if (low === high) return low;
  }
}

/** `mantissa * 2^exponent`, the mantissa odd. */
interface Scaled {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function power(base: Scaled, count: number, precision: number, up: boolean): Scaled {
  let result = base;
  for (const bit of count.toString(2).slice(1)) {
    result = trim(multiply(result, result), precision, up);
    if (bit === "1") result = trim(multiply(result, base), precision, up);
  }
  return result;
}

function multiply(a: Scaled, b: Scaled): Scaled {
  return { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent };
}

function trim({ mantissa, exponent }: Scaled, precision: number, up: boolean): Scaled {
  const excess = bitLength(mantissa) - precision;
  if (excess <= 0) return { mantissa, exponent };
  const shift = BigInt(excess);
  const floor = mantissa >> shift;
  const lost = floor << shift !== mantissa;
  return { mantissa: up && lost ? floor + 1n : floor, exponent: exponent + excess };
}

function toDouble({ mantissa, exponent }: Scaled, inverse: boolean): number {
  const scale = 1n << BigInt(Math.abs(exponent));
  const numerator = exponent > 0 ? mantissa * scale : mantissa;
  const denominator = exponent < 0 ? scale : 1n;
  return inverse ? roundRatio(denominator, numerator) : roundRatio(numerator, denominator);
}

function decompose(value: number): Scaled {
  let exponent = Math.floor(Math.log2(value)) - 53;
  // Scaled in two steps: 2^1074 alone is no double.
  const half = Math.trunc(-exponent / 2);
  let scaled = value * 2 ** half * 2 ** (-exponent - half);
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent -= 1;
  }
  while (scaled % 2 === 0) {
    scaled /= 2;
    exponent += 1;
  }
  return { mantissa: BigInt(scaled), exponent };
}
