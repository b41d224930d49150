import { type NextRetry, nextRetry } from "@parlance/retry";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import type { RunnableTask } from "../dag/runnable-dag.ts";
import type { WaitSummary } from "../history/history-types.ts";

/** A try that failed, and how long waits are here. */
export interface FailedTry {
  readonly ref: TaskInstanceRef;
  readonly task: RunnableTask;
  readonly tryNumber: number;
  readonly attemptId: number | null;
  /** ISO 8601; null in a plan. */
  readonly endDate: string | null;
  /** ISO 8601; null for a run without one. */
  readonly logicalDate: string | null;
  /** What the task asked for. */
  readonly delaySeconds: number | null;
  readonly reason: string | null;
  readonly timeScale: number;
  readonly maxTaskRetryDelaySeconds: number | undefined;
}

/** Any moment: of a plan only the length counts. */
const SOME_MOMENT = "2000-01-01T00:00:00Z";

/** The wait before the next try, to the microsecond as Airflow's scheduler has it. */
export function retryWait(failed: FailedTry): WaitSummary {
  const { ref, task, tryNumber, endDate, timeScale } = failed;
  const next = nextRetry({
    ...{ dagId: ref.dagId, taskId: ref.taskId, logicalDate: failed.logicalDate, tryNumber },
    retryDelayUs: microseconds(task.retryDelaySeconds),
    multiplier: task.retryExponentialBackoff,
    maxRetryDelayUs:
      task.maxRetryDelaySeconds === null ? null : microseconds(task.maxRetryDelaySeconds),
    ...(failed.maxTaskRetryDelaySeconds !== undefined && {
      maxTaskRetryDelaySeconds: failed.maxTaskRetryDelaySeconds,
    }),
    overrideSeconds: failed.delaySeconds,
    endDate: endDate ?? SOME_MOMENT,
  });
  const delaySeconds = Number(next.delayUs) / 1e6;
  return {
    ...ref,
    kind: "retry",
    afterAttempt: failed.attemptId,
    afterTry: tryNumber,
    ...partsOf(next),
    capSeconds: task.maxRetryDelaySeconds,
    multiplier: task.retryExponentialBackoff,
    delaySeconds,
    scaledSeconds: delaySeconds * timeScale,
    beganAt: endDate,
    dueAt: endDate === null ? null : dueDate(endDate, delaySeconds * timeScale),
    startedAt: null,
    reason: failed.reason,
  };
}

/** The wait of a try that has rescheduled itself. */
export function rescheduleWait(
  failed: Omit<FailedTry, "delaySeconds" | "endDate"> & {
    readonly endDate: string;
    readonly rescheduleDate: string;
  },
): WaitSummary {
  const { ref, task, tryNumber, attemptId, endDate, rescheduleDate, timeScale } = failed;
  const delaySeconds = Math.max(0, (Date.parse(rescheduleDate) - Date.parse(endDate)) / 1000);
  return {
    ...ref,
    kind: "reschedule",
    afterAttempt: attemptId,
    afterTry: tryNumber,
    mode: "override",
    ...{ baseSeconds: null, jitterSeconds: null, capSeconds: null, cappedBy: null },
    multiplier: task.retryExponentialBackoff,
    delaySeconds,
    scaledSeconds: delaySeconds * timeScale,
    beganAt: endDate,
    dueAt: dueDate(endDate, delaySeconds * timeScale),
    startedAt: null,
    reason: failed.reason,
  };
}

/** In milliseconds since 1970: the wait is over when this is reached. Airflow wants it to be past. */
export function dueMs(dueAt: string): number {
  return Date.parse(dueAt);
}

function partsOf({
  mode,
  baseSeconds,
  jitterSeconds,
  cappedBy,
}: NextRetry): Pick<WaitSummary, "mode" | "baseSeconds" | "jitterSeconds" | "cappedBy"> {
  return { mode, baseSeconds, jitterSeconds, cappedBy };
}

/** The first whole millisecond that is later; a wait that is none is over at once. */
function dueDate(endDate: string, scaledSeconds: number): string {
  const endMs = Date.parse(endDate);
  if (scaledSeconds <= 0) return new Date(endMs).toISOString();
  return new Date(
    Math.min(Math.floor(endMs + scaledSeconds * 1000) + 1, MAX_DATE_MS),
  ).toISOString();
}

/** The last moment of the year 9999. */
const MAX_DATE_MS = 253_402_300_799_999;

function microseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e6));
}
