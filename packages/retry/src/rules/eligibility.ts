import { checkObject, checkTryNumber, checkWhole } from "../check-arguments.ts";

/** A task instance that has failed, or is about to be told whether it may. */
export interface Attempt {
  /** Its state, `restarting` when it was cleared while it ran. */
  readonly state: string | null;
  /** Of this attempt, 1 for the first. */
  readonly tryNumber: number;
  /** As stored with the task instance, not the task's `retries`: see `maxTriesAfterClearing`. */
  readonly maxTries: number;
}

/** A failed attempt as the scheduler looks at it. */
export interface FailedAttempt extends Attempt {
  /** The task's `retries`; null or absent when its Dag can't be loaded. */
  readonly retries?: number | null;
}

/**
 * Whether the scheduler lets a failed attempt wait for another one (up_for_retry), or fails it.
 *
 * One that is restarting always may. With `retries` of 0 it may not, even where `maxTries` is above.
 *
 * @throws RetryError `bad-input` for numbers that are not whole
 */
export function isEligibleToRetry(attempt: FailedAttempt): boolean {
  checkAttempt(attempt);
  const { state, tryNumber, maxTries, retries } = attempt;
  if (retries !== undefined && retries !== null) checkWhole(retries, "retries");
  return state === "restarting" || (retries !== 0 && tryNumber <= maxTries);
}

/**
 * What the Execution API tells the worker when an attempt starts (`ti_context.should_retry`).
 *
 * It never looks at the task's `retries`, and so differs from {@link isEligibleToRetry}: yes for `retries` 0
 * with `maxTries` above 0; no for `maxTries` 0, try number 0.
 *
 * @param attempt - its state before it started
 * @throws RetryError `bad-input` for numbers that are not whole
 */
export function shouldRetry(attempt: Attempt): boolean {
  checkAttempt(attempt);
  const { state, tryNumber, maxTries } = attempt;
  return state === "restarting" || (maxTries !== 0 && tryNumber <= maxTries);
}

function checkAttempt(attempt: Attempt): void {
  checkObject(attempt, "the attempt");
  checkTryNumber(attempt.tryNumber);
  checkWhole(attempt.maxTries, "maxTries");
}
