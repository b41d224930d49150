import { checkObject, readInstant } from "../check-arguments.ts";
import { RetryError } from "../errors.ts";
import type { InstantInput } from "../time/instant.ts";

/** A task instance that the scheduler may want to start. */
export interface RetryPeriodInput {
  readonly state: string | null;
  /** Of `nextRetry`; looked at in state up_for_retry only. */
  readonly nextRetry: InstantInput | null;
  readonly now: InstantInput;
  /** Set by the check for deadlocks, so that a task that waits does not look like one that never can. */
  readonly ignoreRetryPeriod?: boolean;
}

/** Whether the wait keeps a task instance from starting. */
export interface RetryPeriod {
  readonly passes: boolean;
  /**
   * `ignored` and `not-up-for-retry` pass, and Airflow says so; `elapsed` passes without a word; `waiting` does not
   * pass.
   */
  readonly reason: "ignored" | "not-up-for-retry" | "elapsed" | "waiting";
  /** For people; with both instants while it waits. */
  readonly message: string;
}

/**
 * The scheduler's rule "not in retry period". The wait is over when `nextRetry` is before `now`: at the same
 * microsecond the task still waits.
 *
 * @throws {@link RetryError} `bad-input` for up_for_retry without `nextRetry`; `bad-date`, `naive-date`
 */
export function checkRetryPeriod(input: RetryPeriodInput): RetryPeriod {
  checkObject(input, "the input");
  if (input.ignoreRetryPeriod === true) {
    return { passes: true, reason: "ignored", message: "the retry period is to be ignored" };
  }
  if (input.state !== "up_for_retry") {
    const message = `the state is ${input.state ?? "none"}, not up_for_retry`;
    return { passes: true, reason: "not-up-for-retry", message };
  }
  if (input.nextRetry === null || input.nextRetry === undefined) {
    throw new RetryError("bad-input", "nextRetry is missing; up_for_retry needs one");
  }
  const next = readInstant(input.nextRetry, "nextRetry");
  const now = readInstant(input.now, "now");
  if (next.epochUs < now.epochUs) {
    return { passes: true, reason: "elapsed", message: `the wait ended at ${next.toIso()}` };
  }
  const message = `it is ${now.toIso()}, and the task waits until ${next.toIso()}`;
  return { passes: false, reason: "waiting", message };
}
