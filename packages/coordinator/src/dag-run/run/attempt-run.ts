import { basename } from "node:path";
import type { BaseCoordinator, TaskResult } from "../../coordinators/base-coordinator.ts";
import { combineSinks } from "../../logs/combine-sinks.ts";
import type { LogSink } from "../../logs/log-record.ts";
import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import type { RunnableDag, RunnableTask } from "../dag/runnable-dag.ts";
import { AttemptFiles } from "../files/attempt-files.ts";
import type { AttemptSummary } from "../history/history-types.ts";
import type { RunEvent, StartRunRequest } from "./runner-types.ts";

/** What one attempt is run with. */
export interface AttemptRunOptions {
  readonly dag: RunnableDag;
  readonly task: RunnableTask;
  readonly attempt: AttemptSummary;
  readonly maxTries: number;
  readonly store: SqliteTaskStore;
  readonly folder: string;
  readonly keepFrames: boolean;
  readonly now: () => Date;
  readonly request: Pick<StartRunRequest, "coordinator" | "logSink" | "onFrame">;
  readonly emit: (event: RunEvent) => void;
  /** The process has connected, and its instance is running in the store. */
  readonly onRunning: () => void;
  readonly signal: AbortSignal;
  readonly killSignal: AbortSignal;
}

/** An attempt that is over. */
export interface AttemptRunResult {
  readonly result: TaskResult;
  readonly hasLog: boolean;
  readonly hasFrames: boolean;
}

/** Runs one attempt and keeps its log and its frames. */
export async function runDagAttempt(options: AttemptRunOptions): Promise<AttemptRunResult> {
  const { attempt, task, dag, store, folder, keepFrames, now, request, emit } = options;
  const files = new AttemptFiles(folder, attempt.attemptId, { keepFrames, now });
  const { onFrame } = request;
  const told: LogSink = { write: (record) => emit({ type: "log", attempt, record }) };
  const own = request.logSink?.(attempt);
  const { dagId, runId, taskId, mapIndex, tryNumber } = attempt;
  const file = relativeFile(dag);
  const tellFrame = keepFrames || onFrame !== undefined;
  const result = await execute(request.coordinator, {
    taskInstance: {
      ...{ dagId, runId, taskId, mapIndex, tryNumber, maxTries: options.maxTries },
      ...{ queue: task.queue, ...(file !== "" && { dagRelPath: file }) },
    },
    store,
    argBindings: task.isMapped ? null : task.argBindings,
    logSink: combineSinks(files.sink, told, ...(own === undefined ? [] : [own])),
    signal: options.signal,
    killSignal: options.killSignal,
    onMessage: ({ direction, type }) => {
      if (direction === "to-task" && type === "StartupDetails") options.onRunning();
    },
    ...(tellFrame && {
      onFrame: (frame) => {
        files.onFrame(frame);
        onFrame?.(attempt, frame);
        if (keepFrames) emit({ type: "frame", attempt });
      },
    }),
  });
  await files.close();
  return { result, hasLog: files.hasLog, hasFrames: files.hasFrames };
}

/** A coordinator rejects for a fault in what it was asked, not for what a task does. */
async function execute(
  coordinator: BaseCoordinator,
  request: Parameters<BaseCoordinator["executeTask"]>[0],
): Promise<TaskResult> {
  try {
    return await coordinator.executeTask(request);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = { code: "coordinator-failed", message };
    return { finalState: "failed", exitCode: null, durationMs: 0, error: failure };
  }
}

/** The Dag's file as its bundle has it. */
function relativeFile({ serialized, fileloc }: RunnableDag): string {
  const relative = serialized.dag["relative_fileloc"];
  return typeof relative === "string" ? relative : basename(fileloc);
}
