import { join } from "node:path";
import {
  ArgvCoordinator,
  type LogRecord,
  SqliteTaskStore,
  StoreError,
} from "@parlance/coordinator";
import {
  type ActiveRun,
  DagRunError,
  DagRunner,
  openRunHistory,
  type RunHistory,
  type RunnableDag,
  type TaskSelection,
} from "@parlance/coordinator/dag-run";
import { parseCoreOptions } from "@parlance/retry";
import { CliError, ExitCode } from "../../errors.ts";
import { type CommandIo, write } from "../../io.ts";
import { emitJson } from "../../json-text.ts";
import { printInPieces } from "../../print-in-pieces.ts";
import { escapeControls } from "../../terminal-text.ts";
import { makeWorkFolder } from "../../work-folder.ts";
import { coordinatorOptions } from "../coordinator-options.ts";
import { openRunLog } from "../open-log-file.ts";
import { openStore } from "../open-store.ts";
import type { RunTarget } from "../resolve-target.ts";
import type { RunOptions } from "../run-options.ts";
import { checkParamNames, readConf, readLogicalDate } from "./read-conf.ts";
import { readEntries } from "./whole-dag-entries.ts";
import { WholeDagProgress } from "./whole-dag-progress.ts";
import { formatWholeDag } from "./whole-dag-summary.ts";

/** Runs a whole Dag, or takes a run of it up, and prints how it ended. */
export async function runWholeDag(
  dag: RunnableDag,
  target: RunTarget,
  options: RunOptions,
  io: CommandIo,
): Promise<void> {
  const conf = readConf(options.conf, options.params);
  checkParamNames(options.params, dag.params);
  const logicalDate = readLogicalDate(options.logicalDate);
  // The history of a run is a file, also where nothing is to be kept.
  const folder = options.store === "memory" ? await makeWorkFolder("run") : undefined;
  const kept = folder === undefined ? options.store : `sqlite:${join(folder.path, "run.db")}`;
  try {
    const store = await openStore({ ...options, store: kept }, io.cwd);
    if (!(store instanceof SqliteTaskStore)) throw new Error("the store of a run is no file");
    const logFile = await openRunLog(options, io);
    const runner = new DagRunner(store, {
      ...(options.parallel !== undefined && { parallel: options.parallel }),
      maxTaskRetryDelaySeconds: maxTaskRetryDelay(io),
      keepFrames: folder === undefined,
    });
    try {
      const history = openRunHistory(store);
      const progress = new WholeDagProgress(io, options);
      const logs = new Map<number, LogRecord[]>();
      await tellEnded(history, options, io);
      const run = await start(runner, {
        dag,
        coordinator: new ArgvCoordinator({
          ...coordinatorOptions(options, io),
          argv: target.argv,
          schemaVersion: target.schemaVersion,
        }),
        runId: options.runId,
        ...(conf !== undefined && { conf }),
        ...(logicalDate !== undefined && { logicalDate }),
        ...(options.timeScale !== undefined && { timeScale: options.timeScale }),
        ...(options.rerunFailed && { clear: await failedTasks(history, options) }),
        onEvent: (event) => progress.tell(event),
        logSink: (attempt) => ({
          write: (record) => {
            if (options.json) keep(logs, attempt.attemptId, record);
            void logFile?.forAttempt(attempt).write(record);
            return progress.log(attempt, record);
          },
        }),
        ...(options.trace !== "none" && {
          onFrame: (attempt, frame) => progress.frame(attempt, frame),
        }),
      });
      const outcome = await untilEnd(run, io).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        const { code, message } = error; // a full disk, say: the tasks were ended
        throw new CliError(code, `${message}.`, ExitCode.badInput, {}, { cause: error });
      });
      const entries = await readEntries(store, history, outcome.instances, (id) => logs.get(id));
      if (options.json) {
        const { dagId, runId } = run;
        const { state, note } = outcome;
        const document = { tasks: entries, run: { dagId, runId, state, note } };
        await printInPieces(io, (emit) => emitJson(document, emit));
      } else await write(io.stdout, formatWholeDag(entries, outcome, run.runId, io));
      if (outcome.state !== "success") io.setExitCode(ExitCode.failed);
    } finally {
      await runner.close();
      await logFile?.close();
      await store.close();
    }
  } finally {
    await folder?.remove();
  }
}

async function start(
  runner: DagRunner,
  request: Parameters<DagRunner["start"]>[0],
): Promise<ActiveRun> {
  try {
    return await runner.start(request);
  } catch (error) {
    if (!(error instanceof DagRunError)) throw error;
    const exitCode = error.code === "run-locked" ? ExitCode.unavailable : ExitCode.badInput;
    throw new CliError(error.code, `${error.message}.`, exitCode, {}, { cause: error });
  }
}

/** Ctrl-C ends the tasks and leaves a run that can be taken up; a second one does not wait for them. */
async function untilEnd(run: ActiveRun, { signal, killSignal }: CommandIo) {
  const cancel = (): void => void run.cancel().catch(() => {});
  const kill = (): void => void run.kill().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  killSignal?.addEventListener("abort", kill, { once: true });
  if (signal.aborted) cancel();
  if (killSignal?.aborted === true) kill();
  try {
    return await run.ended;
  } finally {
    signal.removeEventListener("abort", cancel);
    killSignal?.removeEventListener("abort", kill);
  }
}

/** A run that has ended is taken up, too, and most often nothing is left to do in it. */
async function tellEnded(
  history: RunHistory,
  { dagId, runId, rerunFailed }: RunOptions,
  { stderr }: CommandIo,
): Promise<void> {
  const state = (await history.run(dagId, runId))?.state;
  if (state !== "success" && (state !== "failed" || rerunFailed)) return;
  const again = state === "failed" ? "; --rerun-failed runs again what has failed" : "";
  const said = `run ${escapeControls(runId)} has ended already (${state})${again}; a new run needs another --run-id`;
  stderr.write(`${said}\n`);
}

/** What has failed in the run that is taken up; what could not run for it is cleared with it. */
async function failedTasks(
  history: RunHistory,
  { dagId, runId }: RunOptions,
): Promise<TaskSelection[]> {
  const instances = await history.instances(dagId, runId);
  return instances
    .filter(({ state }) => state === "failed")
    .map(({ taskId, mapIndex }) => ({ taskId, mapIndex }));
}

function keep(logs: Map<number, LogRecord[]>, attemptId: number, record: LogRecord): void {
  const records = logs.get(attemptId) ?? [];
  logs.set(attemptId, records);
  records.push(record);
}

function maxTaskRetryDelay({ env }: CommandIo): number {
  const text = env["AIRFLOW__CORE__MAX_TASK_RETRY_DELAY"];
  const texts = text === undefined ? {} : { max_task_retry_delay: text };
  return parseCoreOptions(texts).maxTaskRetryDelaySeconds;
}
