/** How long to wait before another try; both schedules as Celery 5.7 has them (measured). */
export interface Backoff {
  /** Ranges grow as `10 * 2^exponent` up to this. */
  readonly capMs: number;
  /** The exponent before the second attempt. */
  readonly firstExponent: number;
}

/** Of an operation: at most 20, 40, 80 ms with the default of three retries. */
export const OPERATION_BACKOFF: Backoff = { capMs: 10_000, firstExponent: 1 };

/** Of the set-up: at most 10, 20, 40 … 1,000 ms. */
export const SET_UP_BACKOFF: Backoff = { capMs: 1_000, firstExponent: 0 };

/** How often the set-up is tried again. */
export const SET_UP_RETRIES = 10;

/**
 * A wait in whole milliseconds, drawn evenly from 0 to the range, both included.
 *
 * @param retry 1 before the second attempt, 2 before the third
 */
export function backoffMs(
  { capMs, firstExponent }: Backoff,
  retry: number,
  random: () => number = Math.random,
): number {
  const range = Math.min(capMs, 10 * 2 ** (firstExponent + retry - 1));
  return Math.floor(random() * (range + 1));
}
