import { maxTriesAfterClearing } from "@parlance/retry";
import type { TaskResult } from "../../coordinators/base-coordinator.ts";
import type { FoundTaskInstance, TaskInstanceChanges } from "../../store/task-instance-store.ts";
import type { RunnableTask } from "../dag/runnable-dag.ts";
import type { AttemptSummary, TaskState, WaitSummary } from "../history/history-types.ts";
import { type FailedTry, rescheduleWait, retryWait } from "./retry-wait.ts";

/** Why an attempt was ended from outside; undefined where it ended by itself. */
export type Stop =
  /** The run was told to stop: the task is to run again when the run is taken up. */
  | "canceled"
  /** The task was cleared while it ran. */
  | "cleared"
  /** Another one failed in a Dag with `fail_fast`. */
  | "fail-fast";

/** An attempt that is over. */
export interface EndedAttempt {
  readonly attempt: AttemptSummary;
  readonly task: RunnableTask;
  readonly maxTries: number;
  readonly result: TaskResult;
  /** The instance as the attempt left it. */
  readonly row: FoundTaskInstance | undefined;
  readonly stop: Stop | undefined;
  /** When it ended, where the row does not say so. */
  readonly now: string;
  readonly run: Pick<FailedTry, "logicalDate" | "timeScale" | "maxTaskRetryDelaySeconds">;
}

/** What follows from the end of an attempt. */
export interface AttemptEnd {
  readonly state: TaskState;
  readonly changes: TaskInstanceChanges;
  readonly wait: WaitSummary | undefined;
}

/** States that a stop takes back: the task has not come to an end of its own. */
const TAKEN_BACK: ReadonlySet<TaskState> = new Set<TaskState>(["failed", "up_for_retry"]);

/** Decides what an instance becomes by how its attempt has ended. */
export function afterAttempt(ended: EndedAttempt): AttemptEnd {
  const { result, stop, task, maxTries, attempt } = ended;
  const state: TaskState = result.finalState === "SERVER_TERMINATED" ? "failed" : result.finalState;
  if (stop === "cleared") {
    const { tryNumber } = attempt;
    const more = maxTriesAfterClearing({ tryNumber, maxTries, retries: task.retries });
    return plain(null, { maxTries: more, note: "cleared while it ran" });
  }
  if (stop === "canceled" && TAKEN_BACK.has(state)) {
    // It was not its fault: what it had left of tries stays.
    return plain(null, { maxTries: maxTries + 1, note: "interrupted: the run was told to stop" });
  }
  if (stop === "fail-fast" && TAKEN_BACK.has(state)) {
    return plain("failed", { note: "ended by fail_fast" });
  }
  if (state === "up_for_retry") return toRetry(ended);
  if (state === "up_for_reschedule") return toReschedule(ended);
  return plain(state, { note: result.error?.message ?? null });
}

function plain(state: TaskState, changes: TaskInstanceChanges): AttemptEnd {
  return { state, changes: { ...changes, state }, wait: undefined };
}

function toRetry(ended: EndedAttempt): AttemptEnd {
  const { attempt, task, result, row, now, run } = ended;
  const { dagId, runId, taskId, mapIndex, tryNumber, attemptId } = attempt;
  const reason = result.retry?.reason ?? result.error?.message ?? null;
  try {
    const wait = retryWait({
      ref: { dagId, runId, taskId, mapIndex },
      ...{ task, tryNumber, attemptId, ...run },
      endDate: row?.endDate ?? now,
      delaySeconds: result.retry?.delaySeconds ?? null,
      reason,
    });
    return { state: "up_for_retry", changes: { state: "up_for_retry", note: reason }, wait };
  } catch (error) {
    // Airflow's scheduler dies of such a row (a multiplier that is no number, a delay beyond any date).
    const note = `its next try can't be dated: ${(error as Error).message}`;
    return plain("failed", { note });
  }
}

function toReschedule({ attempt, task, row, now, run }: EndedAttempt): AttemptEnd {
  const { dagId, runId, taskId, mapIndex, tryNumber, attemptId } = attempt;
  const endDate = row?.endDate ?? now;
  const wait = rescheduleWait({
    ref: { dagId, runId, taskId, mapIndex },
    ...{ task, tryNumber, attemptId, ...run, endDate },
    rescheduleDate: row?.rescheduleDate ?? endDate,
    reason: null,
  });
  return { state: "up_for_reschedule", changes: { state: "up_for_reschedule" }, wait };
}
