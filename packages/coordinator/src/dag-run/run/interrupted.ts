import type { FoundTaskInstance } from "../../store/task-instance-store.ts";
import type { AttemptSummary, TaskState } from "../history/history-types.ts";
import { type AttemptEnd, afterAttempt, type EndedAttempt } from "./after-attempt.ts";

/** The code of an attempt whose engine died. */
export const ENGINE_DIED = "engine-died";

/** An attempt that was under way when its engine died. */
export interface Interrupted extends Pick<EndedAttempt, "attempt" | "task" | "now" | "run"> {
  readonly row: FoundTaskInstance | undefined;
}

/** How it is taken, and what its attempt is written down as. */
export interface InterruptedEnd extends AttemptEnd {
  readonly attempt: AttemptSummary;
}

/**
 * What becomes of an instance whose engine died under it, as Airflow takes a task whose worker is gone:
 *
 * - it had said how it ended: that counts, it is not run again;
 * - it was running: that try has failed, and there is another one where tries are left;
 * - its process had not even begun: as if nothing had been.
 */
export function afterInterruption(interrupted: Interrupted): InterruptedEnd {
  const { attempt, row, task, now } = interrupted;
  const maxTries = row?.maxTries ?? task.retries;
  if (row === undefined || row.state === "queued" || row.state === "scheduled") {
    const tryNumber = Math.max(0, attempt.tryNumber - 1);
    const note = "never began: the engine died before";
    return {
      attempt: ended(attempt, null, now, note),
      state: null,
      changes: { state: null, tryNumber, note: null },
      wait: undefined,
    };
  }
  const state = row.state as TaskState;
  if (state !== "running" && state !== "restarting") {
    const end = said(interrupted, row, maxTries);
    return { ...end, attempt: ended(attempt, end.state, row.endDate ?? now, null) };
  }
  const message = "the engine died while the task ran (as Airflow takes a worker that is gone)";
  const mayRetry = maxTries !== 0 && attempt.tryNumber <= maxTries;
  const end = afterAttempt({
    ...{ ...interrupted, maxTries, stop: undefined, row: undefined },
    result: {
      finalState: mayRetry ? "up_for_retry" : "failed",
      exitCode: null,
      durationMs: 0,
      error: { code: ENGINE_DIED, message },
    },
  });
  const changes = { ...end.changes, endDate: now };
  return { ...end, changes, attempt: ended(attempt, end.state, now, message) };
}

/** It ended before the engine did, and only what follows from it was not written yet. */
function said(interrupted: Interrupted, row: FoundTaskInstance, maxTries: number): AttemptEnd {
  const state = row.state as TaskState;
  if (state !== "up_for_retry" && state !== "up_for_reschedule") {
    return { state, changes: {}, wait: undefined };
  }
  const { retryDelaySeconds, retryReason } = row;
  return afterAttempt({
    ...{ ...interrupted, maxTries, stop: undefined, row },
    result: {
      finalState: state,
      exitCode: null,
      durationMs: 0,
      retry: {
        ...(retryDelaySeconds !== null && { delaySeconds: retryDelaySeconds }),
        ...(retryReason !== null && { reason: retryReason }),
      },
    },
  });
}

function ended(
  attempt: AttemptSummary,
  state: TaskState,
  endDate: string,
  message: string | null,
): AttemptSummary {
  const error = message === null ? null : { code: ENGINE_DIED, message };
  return { ...attempt, endDate, state, error, hasLog: true, hasFrames: true };
}

/** Used where a task is gone from the Dag: its attempt is closed, and nothing follows. */
export function closeOrphan(attempt: AttemptSummary, now: string): AttemptSummary {
  return ended(attempt, "removed", now, "its task is gone from the Dag");
}
