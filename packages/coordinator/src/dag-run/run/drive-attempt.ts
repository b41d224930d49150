import type { AttemptSummary, TaskState } from "../history/history-types.ts";
import type { RunRecords } from "../records/run-records.ts";
import { type AttemptEnd, afterAttempt, type EndedAttempt } from "./after-attempt.ts";
import { type AttemptRunOptions, runDagAttempt } from "./attempt-run.ts";
import type { LiveInstance } from "./live-instance.ts";

/** @see driveAttempt */
export interface DriveAttemptOptions
  extends Omit<AttemptRunOptions, "maxTries" | "signal" | "onRunning"> {
  readonly one: LiveInstance;
  readonly records: RunRecords;
  readonly run: EndedAttempt["run"];
}

/** Runs an attempt to its end, and writes what follows from it; only then the instance knows it. */
export async function driveAttempt(
  options: DriveAttemptOptions,
): Promise<{ readonly end: AttemptEnd; readonly attempt: AttemptSummary }> {
  const { one, attempt, task, store, records, now, run } = options;
  const { maxTries } = one;
  const signal = one.controller?.signal ?? AbortSignal.abort();
  const { result, hasLog, hasFrames } = await runDagAttempt({
    ...{ ...options, maxTries, signal },
    onRunning: () => {
      one.change({ state: "running" });
      options.emit({ type: "instance", instance: one.summary });
    },
  });
  one.controller = undefined;
  const row = await store.taskInstances.get(one.ref);
  const at = now().toISOString();
  const end = afterAttempt({ attempt, task, maxTries, result, row, stop: one.stop, now: at, run });
  const state = result.finalState === "SERVER_TERMINATED" ? "failed" : result.finalState;
  const ended: AttemptSummary = {
    ...attempt,
    ...{ endDate: row?.endDate ?? at, state: state as TaskState, exitCode: result.exitCode },
    ...{ durationMs: result.durationMs, error: result.error ?? null, hasLog, hasFrames },
  };
  await records.end(ended, end.changes, end.wait);
  if (row !== undefined) one.replace({ ...row, ...end.changes });
  one.continues = end.state === "up_for_reschedule";
  one.waitUntil(end.wait?.dueAt ?? null);
  return { end, attempt: ended };
}
