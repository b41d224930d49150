import type { TaskResult } from "@parlance/coordinator";
import { type StoreInput, TaskFailure } from "@parlance/results";
import type { AttemptFailure } from "./last-failure.ts";

/**
 * The Python module of a failed task's exception. No Python has it, so Celery makes a class of the
 * exception's name; of a module that exists it would take what has that name, whatever it is.
 */
export const FAILURE_MODULE = "parlance.task";

/** What a store is told of an attempt's end. */
export type AttemptOutcome = Pick<StoreInput, "state"> &
  Partial<Pick<StoreInput, "result" | "traceback">>;

/**
 * How an attempt's end stands in Celery's tables. The row is that of the task, over all its tries,
 * as Celery has it: RETRY says that it will run again, and whoever waits goes on waiting.
 *
 * | final state | state |
 * | --- | --- |
 * | success | SUCCESS, with the XCom `return_value` |
 * | skipped | SUCCESS, with null: it is over, and not an error |
 * | failed | FAILURE |
 * | up_for_retry | RETRY |
 * | removed, SERVER_TERMINATED | REVOKED |
 * | up_for_reschedule, deferred, awaiting_input | the same word in capitals: Celery goes on waiting |
 *
 * @param returnValue - the XCom `return_value`, as a result store takes it; null when there is none
 */
export function attemptOutcome(
  result: TaskResult,
  failure: AttemptFailure | undefined,
  returnValue: unknown,
): AttemptOutcome {
  switch (result.finalState) {
    case "success":
      return { state: "SUCCESS", result: returnValue };
    case "skipped":
      return { state: "SUCCESS", result: null };
    case "failed":
      return { state: "FAILURE", ...failureOf(result, failure) };
    case "up_for_retry":
      return { state: "RETRY", ...failureOf(result, failure) };
    case "removed":
      return { state: "REVOKED", result: revoked("removed") };
    case "SERVER_TERMINATED":
      return { state: "REVOKED", result: revoked("terminated") };
    default:
      return { state: result.finalState.toUpperCase(), result: null };
  }
}

/** The exception that was logged; without one, what else is known. */
function failureOf(
  result: TaskResult,
  failure: AttemptFailure | undefined,
): Pick<AttemptOutcome, "result" | "traceback"> {
  if (result.error === undefined && failure !== undefined) {
    const { type, message, traceback } = failure;
    return {
      result: exception(type, message),
      traceback: traceback === null ? null : wellFormed(traceback),
    };
  }
  return { result: exception("TaskFailed", reasonOf(result)), traceback: null };
}

function reasonOf({ error, exitCode, retry }: TaskResult): string {
  if (error !== undefined) return `${error.code}: ${error.message}`;
  if (retry?.reason !== undefined) return retry.reason;
  if (exitCode === null || exitCode === 0) return "the task said that it failed";
  return exitCode < 0 ? `ended by signal ${-exitCode}` : `exit code ${exitCode}`;
}

/** A foreign log can hold any text; what Python could not name becomes a plain failure. */
function exception(type: string, message: string): TaskFailure {
  const args = [wellFormed(message)];
  try {
    return new TaskFailure({ type, module: FAILURE_MODULE, args });
  } catch {
    return new TaskFailure({ type: "TaskFailed", module: FAILURE_MODULE, args });
  }
}

/** A log line can hold half a surrogate pair, which has no UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** As Celery's workers store a task that was called back. */
function revoked(reason: string): TaskFailure {
  return new TaskFailure({
    type: "TaskRevokedError",
    module: "celery.exceptions",
    args: [reason],
  });
}
