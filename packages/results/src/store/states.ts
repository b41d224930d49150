/** Celery has the last word: the task is over and its outcome stands in the row. */
export const READY_STATES: ReadonlySet<string> = new Set(["SUCCESS", "FAILURE", "REVOKED"]);

/** The task waits or runs. States of a user's own belong to neither set. */
export const UNREADY_STATES: ReadonlySet<string> = new Set([
  "PENDING",
  "RECEIVED",
  "STARTED",
  "RETRY",
  "REJECTED",
]);

/** The result of these states is an exception; anything else there cannot be read by Celery. */
export const EXCEPTION_STATES: ReadonlySet<string> = new Set(["RETRY", "FAILURE", "REVOKED"]);

/** Waiting for a task that ends in one of these throws its exception. */
export const PROPAGATE_STATES: ReadonlySet<string> = new Set(["FAILURE", "REVOKED"]);

/** The state that no later store changes. */
export const FINAL_STATE = "SUCCESS";

/** Best first; `null` stands for every state that has no name here (`IGNORED` too). */
const PRECEDENCE: readonly (string | null)[] = [
  "SUCCESS",
  "FAILURE",
  null,
  "REVOKED",
  "STARTED",
  "RECEIVED",
  "REJECTED",
  "RETRY",
  "PENDING",
];

/**
 * Where a state stands in Celery's order: 0 (`SUCCESS`) is the best, 8 (`PENDING`) the least. States of
 * a user's own share a place behind `FAILURE`. The store itself never asks: Celery's does not either,
 * any state overwrites any other but `SUCCESS`.
 */
export function statePrecedence(state: string): number {
  const index = PRECEDENCE.indexOf(state);
  return index === -1 ? PRECEDENCE.indexOf(null) : index;
}
