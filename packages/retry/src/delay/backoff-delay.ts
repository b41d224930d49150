import { RetryError } from "../errors.ts";
import { hashModulo } from "../hash/hash-modulo.ts";
import { sha1 } from "../hash/sha1.ts";
import { power } from "../math/power.ts";
import { checkRange, type Microseconds, secondsOf } from "../time/duration.ts";
import type { RetryDelay } from "./retry-delay.ts";

const MAX_EXACT_SECONDS = 9_000_000_000; // so many seconds in microseconds are below 2^53

/** What the back-off is made of, checked. */
export interface Backoff {
  /** The text the jitter is drawn from. */
  readonly hashText: string;
  readonly delayUs: Microseconds;
  readonly multiplier: number | bigint;
  readonly exponent: number;
  readonly globalCapSeconds: number;
  readonly taskCapUs: Microseconds | null;
}

/**
 * Base, jitter and caps of a wait whose multiplier is above 0 and not 1.
 *
 * @throws RetryError `not-a-number`, `out-of-range`, `lone-surrogate`
 */
export function backoffDelay(backoff: Backoff): RetryDelay {
  const { globalCapSeconds } = backoff;
  const { base, overflow } = baseSeconds(backoff);
  const jitter = hashModulo(sha1(backoff.hashText), base);
  const sum = base + jitter;
  const capped = overflow || sum > globalCapSeconds;
  const seconds = Math.min(sum, globalCapSeconds);
  const delayUs =
    Math.abs(seconds) <= MAX_EXACT_SECONDS
      ? seconds * 1_000_000
      : checkRange(BigInt(seconds) * 1_000_000n, "the delay");
  const { taskCapUs } = backoff;
  // A cap of zero is no cap; a negative one wins.
  // biome-ignore lint/suspicious/noDoubleEquals: 0 and 0n are the same here
  const taskCapWins = taskCapUs !== null && taskCapUs != 0 && taskCapUs < delayUs;
  return {
    mode: overflow ? "overflow" : "backoff",
    delayUs: BigInt(taskCapWins ? taskCapUs : delayUs),
    baseSeconds: base,
    jitterSeconds: jitter,
    cappedBy: taskCapWins ? "max_retry_delay" : capped ? "max_task_retry_delay" : null,
  };
}

function baseSeconds(backoff: Backoff): { base: number; overflow: boolean } {
  const { multiplier, exponent, globalCapSeconds } = backoff;
  const factor = power(multiplier, exponent);
  // A finite number whose power is beyond a double: Airflow takes the global cap before it looks
  // at the delay. An infinite number has an infinite power without that, and 0 times it is NaN.
  const powerOverflows = factor === Number.POSITIVE_INFINITY && multiplier !== factor;
  const product = secondsOf(backoff.delayUs) * factor;
  if (Number.isNaN(product) && !powerOverflows) {
    throw new RetryError(
      "not-a-number",
      "a delay of 0 times an infinite multiplier is no number; Airflow's scheduler raises ValueError here",
    );
  }
  const overflow = powerOverflows || !Number.isFinite(product);
  const base = overflow ? globalCapSeconds : Math.ceil(product);
  return { base: Math.max(base, 1), overflow };
}
