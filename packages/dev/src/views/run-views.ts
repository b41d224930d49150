import type { SecretMasker } from "@parlance/coordinator";
import type {
  AttemptSummary,
  GridRun as HistoryGridRun,
  RunSummary as HistoryRun,
  InstanceSummary,
  WaitSummary,
} from "@parlance/coordinator/dag-run";
import type { Attempt, GridRun, RunSummary, TaskInstance, Wait } from "../api/types.ts";
import { maskedText } from "./mask.ts";

/**
 * What the history tells, as the API shows it. It has more fields than are shown, and may get others:
 * each view takes its own.
 */
export class RunViews {
  readonly #masker: SecretMasker;

  constructor(masker: SecretMasker) {
    this.#masker = masker;
  }

  /** A run in a list. */
  run(run: HistoryRun): RunSummary {
    return {
      dagId: run.dagId,
      runId: run.runId,
      state: run.state,
      note: this.text(run.note),
      logicalDate: run.logicalDate,
      createdAt: run.createdAt,
      startDate: run.startDate,
      endDate: run.endDate,
      timeScale: run.timeScale,
    };
  }

  /** A column of the grid. */
  gridRun(run: HistoryGridRun): GridRun {
    return { ...this.run(run), cells: run.cells };
  }

  /** An instance of a task. */
  instance(instance: InstanceSummary): TaskInstance {
    return {
      dagId: instance.dagId,
      runId: instance.runId,
      taskId: instance.taskId,
      mapIndex: instance.mapIndex,
      state: instance.state,
      tryNumber: instance.tryNumber,
      maxTries: instance.maxTries,
      startDate: instance.startDate,
      endDate: instance.endDate,
      dueAt: instance.dueAt,
      renderedMapIndex: this.text(instance.renderedMapIndex),
      note: this.text(instance.note),
    };
  }

  /** An attempt. */
  attempt(attempt: AttemptSummary): Attempt {
    return {
      attemptId: String(attempt.attemptId),
      tryNumber: attempt.tryNumber,
      startDate: attempt.startDate,
      endDate: attempt.endDate,
      state: attempt.state,
      exitCode: attempt.exitCode,
      durationMs: attempt.durationMs,
      error: attempt.error && {
        code: attempt.error.code,
        message: this.text(attempt.error.message),
      },
      hasLog: attempt.hasLog,
      hasFrames: attempt.hasFrames,
    };
  }

  /** A wait, begun or planned. */
  wait(wait: WaitSummary): Wait {
    return {
      kind: wait.kind,
      afterTry: wait.afterTry,
      mode: wait.mode,
      baseSeconds: wait.baseSeconds,
      jitterSeconds: wait.jitterSeconds,
      capSeconds: wait.capSeconds,
      cappedBy: wait.cappedBy,
      multiplier: wait.multiplier,
      delaySeconds: wait.delaySeconds,
      scaledSeconds: wait.scaledSeconds,
      beganAt: wait.beganAt,
      dueAt: wait.dueAt,
      startedAt: wait.startedAt,
      reason: this.text(wait.reason),
    };
  }

  /** A text for people. */
  text<T extends string | null>(text: T): T {
    return maskedText(this.#masker, text);
  }
}
