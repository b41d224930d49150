import type { TaskResult } from "../coordinators/base-coordinator.ts";
import { type LogRecord, supervisorRecord } from "../logs/log-record.ts";
import { shouldRetry, type TaskInstanceSpec } from "./task-instance.ts";

/** Why an attempt did not run: the code and message of an error. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

/** What the task's log says of an attempt that did not run. */
export function notRunRecord(
  now: Date,
  { code, message }: Reason,
  details: { readonly [field: string]: unknown } = {},
): LogRecord {
  return supervisorRecord(now, "error", `the task did not run: ${message}`, { ...details, code });
}

/** The result of an attempt that did not run: failed, or up for retry, whatever its exit code. */
export function notRunResult(
  taskInstance: TaskInstanceSpec,
  { code, message }: Reason,
  facts: Pick<TaskResult, "exitCode" | "durationMs">,
): TaskResult {
  return {
    finalState: shouldRetry(taskInstance) ? "up_for_retry" : "failed",
    ...facts,
    error: { code, message },
  };
}
