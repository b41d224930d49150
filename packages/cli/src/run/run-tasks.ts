import {
  ArgvCoordinator,
  combineSinks,
  type DagRunSpec,
  type LogFile,
  type LogRecord,
  type LogSink,
  type ObservedFrame,
  type ResumeEvent,
  type TaskResult,
  type TaskStore,
} from "@parlance/coordinator";
import type { TaskArgBinding } from "@parlance/protocol";
import type { CommandIo } from "../io.ts";
import { coordinatorOptions } from "./coordinator-options.ts";
import { recordRunEnd } from "./record-run-end.ts";
import type { RunTarget } from "./resolve-target.ts";
import type { RecordedOutcome, ResultsRecorder } from "./results-recorder.ts";
import type { RunOptions } from "./run-options.ts";
import { toNotation } from "./to-notation.ts";
import { readConf, readLogicalDate } from "./whole-dag/read-conf.ts";

/** One task's last attempt: an entry of `tasks` in what `parlance run --json` prints. */
export interface TaskEntry {
  readonly taskId: string;
  readonly finalState: TaskResult["finalState"];
  /** Negative for a signal; null when nothing was started. */
  readonly exitCode: number | null;
  readonly tryNumber: number;
  /** How often it was started in this run. */
  readonly attempts: number;
  /** From spawn to verdict. */
  readonly durationMs: number;
  /** What the task left, by key, in the notation of `--json`; log records are JSON as they are. */
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly retry?: TaskResult["retry"];
  readonly error?: TaskResult["error"];
  /** Its row in the result store, where one is kept. */
  readonly results?: RecordedOutcome;
  /** Kept for `--json` only: there may be millions. */
  readonly logs: readonly LogRecord[];
}

/** Told of what happens while it happens. */
export interface RunObserver {
  attemptStarted(taskId: string, tryNumber: number): void;
  /** The task's next records wait until it settles. */
  logged(taskId: string, record: LogRecord): void | Promise<void>;
  /** Each frame on the comm link; only asked for with `--trace`. */
  frame?(taskId: string, frame: ObservedFrame): void;
  attemptEnded(taskId: string, tryNumber: number, result: TaskResult): void;
}

/** What {@link runTasks} runs, with what, and who hears of it. */
export interface RunSetting {
  readonly target: RunTarget;
  /** In the order in which they run. */
  readonly taskIds: readonly string[];
  readonly options: RunOptions;
  /** Arguments of the Python call, in wire form; the same for every task. */
  readonly argBindings: readonly TaskArgBinding[] | undefined;
  /** What the one task is resumed with. */
  readonly resume: ResumeEvent | undefined;
  readonly store: TaskStore;
  readonly io: CommandIo;
  readonly observer: RunObserver;
  /** Keeps the rows of a result store; undefined where there is none. */
  readonly recorder: ResultsRecorder | undefined;
  /** Keeps the log records of all tasks; undefined where there is none. */
  readonly logFile: LogFile | undefined;
}

/**
 * Runs tasks one after another under a coordinator of ours.
 *
 * With one named task exactly one attempt runs. Otherwise a task that ends up_for_retry starts
 * again at once with the next try number, at most `retries` times. After an abort nothing more
 * is started.
 */
export async function runTasks({
  target,
  taskIds,
  options,
  argBindings,
  resume,
  store,
  io,
  observer,
  recorder,
  logFile,
}: RunSetting): Promise<TaskEntry[]> {
  const coordinator = new ArgvCoordinator({
    ...coordinatorOptions(options, io),
    argv: target.argv,
    schemaVersion: target.schemaVersion,
  });
  const dagRun = dagRunOf(options);
  const entries: TaskEntry[] = [];
  for (const taskId of taskIds) {
    if (io.signal.aborted) break;
    entries.push(await runTask(taskId));
  }
  if (options.taskId === undefined && entries.length === taskIds.length) {
    await recordRunEnd(store, options, entries);
  }
  return entries;

  async function runTask(taskId: string): Promise<TaskEntry> {
    for (let attempts = 1; ; attempts++) {
      const tryNumber = options.tryNumber + attempts - 1;
      const logs: LogRecord[] = [];
      observer.attemptStarted(taskId, tryNumber);
      const recorded = await recorder?.start(taskId, tryNumber);
      const sink: LogSink = {
        write(record) {
          if (options.json) logs.push(record);
          recorded?.see(record);
          return observer.logged(taskId, record);
        },
      };
      const result = await coordinator.executeTask({
        taskInstance: {
          dagId: options.dagId,
          taskId,
          runId: options.runId,
          tryNumber,
          mapIndex: options.mapIndex,
          ...(options.dagFile !== undefined && { dagRelPath: options.dagFile }),
          ...(options.bundleName !== undefined && { dagBundleName: options.bundleName }),
          ...retryFacts(options, attempts, tryNumber),
        },
        resume,
        argBindings,
        dagRun,
        store,
        logSink: alsoInto(logFile, sink, { ...options, taskId, tryNumber }),
        signal: io.signal,
        killSignal: io.killSignal,
        onFrame: observer.frame && ((frame) => observer.frame?.(taskId, frame)),
      });
      observer.attemptEnded(taskId, tryNumber, result);
      const results = await recorded?.end(result);
      const again = options.taskId === undefined && result.finalState === "up_for_retry";
      if (again && attempts <= options.retries && !io.signal.aborted) continue;
      return {
        taskId,
        finalState: result.finalState,
        exitCode: result.exitCode,
        tryNumber,
        attempts,
        durationMs: result.durationMs,
        xcoms: await xcomsOf(store, options, taskId),
        ...(result.retry === undefined ? {} : { retry: result.retry }),
        ...(result.error === undefined ? {} : { error: result.error }),
        ...(results === undefined ? {} : { results }),
        logs,
      };
    }
  }
}

function alsoInto(
  logFile: LogFile | undefined,
  sink: LogSink,
  attempt: Parameters<LogFile["forAttempt"]>[0],
): LogSink {
  return logFile === undefined ? sink : combineSinks(logFile.forAttempt(attempt), sink);
}

/** All attempts see one run: it begins now, and is due at the date in its id, or now. */
function dagRunOf({ runId, conf, params, logicalDate }: RunOptions): DagRunSpec {
  const startDate = new Date();
  const given = readConf(conf, params);
  const logical = readLogicalDate(logicalDate);
  return {
    startDate,
    ...(!/\d{4}-\d\d-\d\dT/.test(runId) && { runAfter: startDate }),
    ...(given !== undefined && { conf: given }),
    ...(logical !== undefined && { logicalDate: logical }),
  };
}

/** `should_retry` is the server's to say: here the flag of a single attempt, or the tries that are left. */
function retryFacts(options: RunOptions, attempts: number, tryNumber: number) {
  if (options.taskId !== undefined) {
    return { shouldRetry: options.shouldRetry, maxTries: options.shouldRetry ? tryNumber : 0 };
  }
  return {
    shouldRetry: options.shouldRetry || attempts <= options.retries,
    maxTries: options.tryNumber - 1 + options.retries,
  };
}

async function xcomsOf(store: TaskStore, options: RunOptions, taskId: string) {
  const { dagId, runId, mapIndex } = options;
  const stored = await store.xcoms.list({ dagId, runId, taskId, mapIndex });
  return Object.fromEntries(stored.map(({ key, value }) => [key, toNotation(value)]));
}
