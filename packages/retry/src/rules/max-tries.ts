/**
 * `max_tries` of a new task instance: the task's `retries`. It makes one attempt more than that.
 */
export function initialMaxTries(retries: number): number {
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
 */
export function maxTriesAfterClearing({ tryNumber, maxTries, retries }: TriedInstance): number {
  if (retries === null || retries === undefined) return Math.max(maxTries, tryNumber);
  return tryNumber + retries;
}

/** `max_tries` after an attempt succeeded: more only where it was cleared while it ran. */
export function maxTriesAfterSuccess(
  instance: TriedInstance & { readonly state: string | null; readonly retries: number },
): number {
  if (instance.state !== "restarting") return instance.maxTries;
  return instance.tryNumber + instance.retries;
}
