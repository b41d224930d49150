import { checkObject, checkTryNumber, checkWhole } from "../check-arguments.ts";

/**
 * `max_tries` of a new task instance: the task's `retries`. It makes one attempt more than that.
 *
 * @throws RetryError `bad-input` for a number that is not whole
 */
export function initialMaxTries(retries: number): number {
  checkWhole(retries, "retries");
  return retries;
}

/** A task instance that is cleared, or that succeeded. */
export interface TriedInstance {
  /** Never reset: after clearing, the back-off goes on from here. */
  readonly tryNumber: number;
  readonly maxTries: number;
  /** The task's `retries`; null or absent when its Dag can't be loaded, or lacks the task. */
  readonly retries?: number | null;
}

/**
 * `max_tries` after a task instance was cleared: all of its retries once more. One that is running when it is
 * cleared keeps its own, becomes `restarting`, and gets the same if it then succeeds:
 * {@link maxTriesAfterSuccess}.
 *
 * @throws RetryError `bad-input` for numbers that are not whole
 */
export function maxTriesAfterClearing(instance: TriedInstance): number {
  checkInstance(instance);
  const { tryNumber, maxTries, retries } = instance;
  if (retries === null || retries === undefined) return Math.max(maxTries, tryNumber);
  return tryNumber + retries;
}

/**
 * `max_tries` after an attempt succeeded: more only where it was cleared while it ran.
 *
 * @throws RetryError `bad-input` for numbers that are not whole
 */
export function maxTriesAfterSuccess(
  instance: TriedInstance & { readonly state: string | null; readonly retries: number },
): number {
  checkInstance(instance);
  checkWhole(instance.retries, "retries");
  if (instance.state !== "restarting") return instance.maxTries;
  return instance.tryNumber + instance.retries;
}

function checkInstance(instance: TriedInstance): void {
  checkObject(instance, "the task instance");
  const { tryNumber, maxTries, retries } = instance;
  checkTryNumber(tryNumber);
  checkWhole(maxTries, "maxTries");
  if (retries !== undefined && retries !== null) checkWhole(retries, "retries");
}
