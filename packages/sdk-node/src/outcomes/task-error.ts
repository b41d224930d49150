import { optionalDuration, optionalText, refuse } from "./check-arguments.ts";

/** What should happen after a failure. */
export interface TaskErrorOptions extends ErrorOptions {
  /** False: the task has failed for good, whatever retries are left. @default true */
  readonly retry?: boolean | undefined;
  /** How long to wait before the next try. @default what the Dag says (`retry_delay` …) */
  readonly retryAfterMs?: number | undefined;
  /** What Airflow keeps as the retry's reason, at most 500 characters. @default the message */
  readonly retryReason?: string | undefined;
}

const BRAND = Symbol.for("parlance.sdk-node.task-error");

/**
 * A failure that says what comes next: `{ retry: false }` ends the task as failed for good,
 * `{ retryAfterMs }` sets the delay of the next try. Retries themselves are the Dag's: where none
 * is left the task has failed, whatever is said here.
 *
 * ```ts
 * throw new TaskError("the quota is used up", { retryAfterMs: 3_600_000, cause: error });
 * ```
 */
export class TaskError extends Error {
  readonly retry: boolean;
  /** Null: the Dag's own delay. */
  readonly retryAfterMs: number | null;
  /** Null: the message. */
  readonly retryReason: string | null;

  /** @throws InvalidRequestError when an option is wrong, or both a delay and `retry: false` */
  constructor(message: string, options: TaskErrorOptions = {}) {
    super(message, options);
    const call = "new TaskError(…)";
    const { retry = true } = options;
    if (typeof retry !== "boolean") refuse(call, "/retry", retry, "true or false");
    this.retry = retry;
    this.retryAfterMs = optionalDuration(call, "/retryAfterMs", options.retryAfterMs, 0);
    this.retryReason = optionalText(call, "/retryReason", options.retryReason);
    if (!retry && this.retryAfterMs !== null) {
      refuse(call, "/retryAfterMs", this.retryAfterMs, "none, since retry is false");
    }
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether something thrown is a {@link TaskError}, also one of another copy of this package. */
export function isTaskError(thrown: unknown): thrown is TaskError {
  return typeof thrown === "object" && thrown !== null && BRAND in thrown;
}

const REMOVED_BRAND = Symbol.for("parlance.sdk-node.task-removed");

/**
 * Ends the task as removed: what it stands for is no longer there. A task without a handler in the
 * program ends so by itself.
 */
export class TaskRemovedError extends Error {
  constructor(message: string = "the task is no longer there", options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, REMOVED_BRAND, { value: true });
  }
}

/** Whether something thrown is a {@link TaskRemovedError}, also one of another copy. */
export function isTaskRemoved(thrown: unknown): thrown is TaskRemovedError {
  return typeof thrown === "object" && thrown !== null && REMOVED_BRAND in thrown;
}

/** Codes of a {@link DeferralError}. */
export type DeferralErrorCode = "trigger-timeout" | "trigger-failed";

/**
 * The trigger or the question that a task waited for did not come to an end. The handler is not
 * called then; the task fails, and is tried again when retries are left.
 *
 * - `trigger-timeout`: nothing had happened when the time was over
 * - `trigger-failed`: the trigger's own failure; `traceback` has what Python says of it
 */
export class DeferralError extends Error {
  readonly code: DeferralErrorCode;
  readonly traceback: string | null;

  constructor(code: DeferralErrorCode, message: string, traceback: string | null) {
    super(message);
    this.code = code;
    this.traceback = traceback;
  }
}

// Written out, since a minifier renames the classes.
for (const [name, errorClass] of Object.entries({ TaskError, TaskRemovedError, DeferralError })) {
  Object.defineProperty(errorClass.prototype, "name", { value: name });
}
