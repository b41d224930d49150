import type { TaskContext } from "../context.ts";
import type { Logger } from "../logs/logger.ts";
import { checkRecord, kindOf } from "../outcomes/check-arguments.ts";
import { isTaskError, TaskError } from "../outcomes/task-error.ts";
import type { RetryDecision, RetryPolicy } from "../task-handler.ts";

/**
 * What comes after a failure: what a {@link TaskError} says, else what the task's policy says. A
 * policy that fails is logged and has not been asked.
 */
export function decideRetry(
  error: unknown,
  context: TaskContext,
  policy: RetryPolicy | undefined,
  log: Logger,
): { [Key in keyof RetryDecision]: RetryDecision[Key] | null } {
  if (isTaskError(error)) return error;
  if (policy === undefined || !context.shouldRetry) return {};
  try {
    const decision: unknown = policy(error, context);
    if (decision === undefined || decision === null) return {};
    const call = "retryPolicy";
    checkRecord(call, "", decision, "{ retry, retryAfterMs, retryReason } or undefined");
    if (typeof decision["then"] === "function") {
      throw new TypeError(`${call} returned ${kindOf(decision)}, expected no promise`);
    }
    return new TaskError("", decision);
  } catch (failure) {
    log.error("The retry policy failed; the Dag's own settings hold", { error: failure });
    return {};
  }
}
