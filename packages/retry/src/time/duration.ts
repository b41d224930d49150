import { describe, RetryError } from "../errors.ts";
import { roundRatio } from "../math/round-ratio.ts";

/** Whole microseconds: a safe integer, or a bigint for what is longer than 285 years. */
export type Microseconds = number | bigint;

/** The longest delay there is, in microseconds: one below 1,000,000,000 days (Python's `timedelta.max`). */
export const MAX_DELAY_US: bigint = 86_400_000_000n * 1_000_000_000n - 1n;
/** The shortest, -999,999,999 days in microseconds (Python's `timedelta.min`). */
export const MIN_DELAY_US: bigint = -86_400_000_000n * 999_999_999n;

const US_PER_SECOND = 1_000_000;

/**
 * A duration that was given from outside, checked.
 *
 * @param name - of the argument, for the message
 * @throws {@link RetryError} `bad-input` when it is not a whole number, or a number beyond 2^53;
 *   `out-of-range` beyond {@link MIN_DELAY_US} and {@link MAX_DELAY_US}
 */
export function checkMicroseconds(value: Microseconds, name: string): Microseconds {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value !== "bigint") {
    throw new RetryError(
      "bad-input",
      `${name} is ${describe(value)}; expected whole microseconds, as a bigint beyond 2^53`,
    );
  }
  return checkRange(value, name);
}

/** @throws {@link RetryError} `out-of-range` */
export function checkRange(us: bigint, name: string): bigint {
  if (us >= MIN_DELAY_US && us <= MAX_DELAY_US) return us;
  throw new RetryError(
    "out-of-range",
    `${name} is ${describe(us)} microseconds; at most 999,999,999 days are possible`,
  );
}

/** The double nearest to this many seconds, as `timedelta.total_seconds()` gives it. */
export function secondsOf(us: Microseconds): number {
  return typeof us === "number" ? us / US_PER_SECOND : roundRatio(us, 1_000_000n);
}

/**
 * Seconds to whole microseconds, as Python's `timedelta(seconds=…)` does: half to even, after the
 * fraction of the second was multiplied in double arithmetic.
 *
 * @param seconds - a bigint counts as a Python int
 * @param name - of the argument, for the message
 * @throws {@link RetryError} `not-a-number` for NaN, `out-of-range` for infinities and beyond
 *   999,999,999 days, `bad-input` for what is no number
 */
export function microsecondsOfSeconds(seconds: number | bigint, name = "seconds"): bigint {
  if (typeof seconds === "bigint") return checkRange(seconds * 1_000_000n, name);
  if (typeof seconds !== "number") {
    throw new RetryError("bad-input", `${name} is ${describe(seconds)}; expected a number`);
  }
  if (Number.isNaN(seconds)) {
    throw new RetryError("not-a-number", `${name} is NaN; expected seconds`);
  }
  if (!Number.isFinite(seconds)) {
    throw new RetryError(
      "out-of-range",
      `${name} is ${seconds}; expected a finite number of seconds`,
    );
  }
  const wholeSeconds = Math.trunc(seconds);
  const fraction = (seconds - wholeSeconds) * US_PER_SECOND;
  const us = BigInt(wholeSeconds) * 1_000_000n + BigInt(Math.trunc(fraction));
  return checkRange(us + BigInt(roundRest(fraction - Math.trunc(fraction), us)), name);
}

/** What is left of a microsecond, -1, 0 or 1; at a half so that the sum with `us` is even. */
function roundRest(rest: number, us: bigint): number {
  const size = Math.abs(rest);
  const up = size > 0.5 || (size === 0.5 && (us & 1n) === 1n);
  return up ? Math.sign(rest) : 0;
}
