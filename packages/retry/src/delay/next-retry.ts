import { readInstant } from "../check-arguments.ts";
import { RetryError } from "../errors.ts";
import { Instant, type InstantInput } from "../time/instant.ts";
import { type RetryDelay, type RetryDelayInput, retryDelay } from "./retry-delay.ts";

/** A failed attempt. */
export interface NextRetryInput extends RetryDelayInput {
  /** When it ended; null when that was never recorded. */
  readonly endDate: InstantInput | null;
  /** What counts as now where an explicit delay meets a missing end date; the clock when absent. */
  readonly now?: () => Date;
}

/** How long it waits, and until when. */
export interface NextRetry extends RetryDelay {
  /** The scheduler queues the next attempt at the first of its rounds that is later than this. */
  readonly nextRetry: Instant;
}

/**
 * When a failed task runs again: the end of the attempt plus its {@link retryDelay}.
 *
 * @throws {@link RetryError} those of {@link retryDelay}; `missing-end-date`; `out-of-range` past the
 *   year 9999; `naive-date` and `bad-date` for `endDate`
 */
export function nextRetry(input: NextRetryInput): NextRetry {
  const delay = retryDelay(input);
  const { mode, delayUs, baseSeconds, jitterSeconds, cappedBy } = delay;
  const next = startOfWait(input, delay).plus(delayUs);
  // Written out: a spread took longer than the calculation of a fixed delay.
  return { mode, delayUs, baseSeconds, jitterSeconds, cappedBy, nextRetry: next };
}

function startOfWait({ endDate, now }: NextRetryInput, delay: RetryDelay): Instant {
  if (endDate !== null && endDate !== undefined) return readInstant(endDate, "endDate");
  if (delay.mode === "override") return Instant.fromDate(now === undefined ? new Date() : now());
  throw new RetryError(
    "missing-end-date",
    "the failed attempt has no end date; Airflow's scheduler raises TypeError for such a row",
  );
}
