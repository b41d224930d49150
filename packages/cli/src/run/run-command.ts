import type { LogFile, TaskStore } from "@parlance/coordinator";
import type { JsonValue, TaskArgBinding } from "@parlance/protocol";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write } from "../io.ts";
import { emitJson } from "../json-text.ts";
import { printInPieces } from "../print-in-pieces.ts";
import { endedWell } from "./ended-well.ts";
import { formatSummary } from "./format-summary.ts";
import { openRunLog } from "./open-log-file.ts";
import { openStore } from "./open-store.ts";
import { parseEvent } from "./parse-event.ts";
import { type RunTarget, resolveTarget } from "./resolve-target.ts";
import type { ResultsRecorder } from "./results-recorder.ts";
import type { RunOptions } from "./run-options.ts";
import { runTasks, type TaskEntry } from "./run-tasks.ts";
import { terminalObserver } from "./terminal-observer.ts";

/** `parlance run`: resolves what to run, runs it, prints the outcome. */
export async function runCommand(
  words: readonly string[],
  argv: readonly string[],
  options: RunOptions,
  io: CommandIo,
): Promise<void> {
  const target = await resolveTarget(words, argv, options, io);
  try {
    if (options.taskId === undefined) {
      const { findNativeDag } = await import("./whole-dag/find-native-dag.ts");
      const dag = await findNativeDag(target, options, io);
      if (dag !== undefined) {
        refuseWithWholeDag(options);
        const { runWholeDag } = await import("./whole-dag/run-whole-dag.ts");
        return await runWholeDag(dag, target, options, io);
      }
    }
    refuseWithoutWholeDag(options);
    const argBindings = parseArguments(options.args, target);
    const resume = parseEvent(options.event);
    const taskIds =
      options.taskId === undefined ? tasksOf(target, options.dagId) : [options.taskId];
    const store = await openStore(options, io.cwd);
    let recorder: ResultsRecorder | undefined;
    let logFile: LogFile | undefined;
    try {
      logFile = await openRunLog(options, io);
      recorder = await openRecorder(options, taskIds, argBindings, store, io);
      const observer = terminalObserver(io, options);
      const entries = await runTasks({
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
      });
      if (options.json) await printEntries(entries, io);
      else await write(io.stdout, formatSummary(entries, taskIds, io));
      const good = entries.every(({ finalState }) => endedWell(finalState));
      if (!good || entries.length < taskIds.length) io.setExitCode(ExitCode.failed);
      else if (recorder?.exitCode !== undefined) io.setExitCode(recorder.exitCode);
    } finally {
      await recorder?.close();
      await logFile?.close();
      await store.close();
    }
  } finally {
    await target.close();
  }
}

function refuseWithWholeDag({ results, args, rerunFailed, store }: RunOptions): void {
  if (rerunFailed && store === "memory") {
    const message =
      "--rerun-failed is about a run that a store has: give --store sqlite:FILE, and its --run-id.";
    throw new CliError("usage", message, ExitCode.usage);
  }
  const flag = results !== undefined ? "--results" : args.length > 0 ? "--arg" : undefined;
  if (flag === undefined) return;
  const message = `${flag} is about single tasks, and this Dag is run as a whole: add --task, or leave it out.`;
  throw new CliError("usage", message, ExitCode.usage);
}

function refuseWithoutWholeDag({ timeScale, parallel, rerunFailed }: RunOptions): void {
  const flags: [unknown, string][] = [
    [timeScale, "--time-scale"],
    [parallel, "--parallel"],
    [rerunFailed ? true : undefined, "--rerun-failed"],
  ];
  const flag = flags.find(([value]) => value !== undefined)?.[1];
  if (flag === undefined) return;
  const message = `${flag} is about a Dag made with dag() that is run as a whole, without --task.`;
  throw new CliError("usage", message, ExitCode.usage);
}

/** The package of results is only loaded where results are asked for. */
async function openRecorder(
  options: RunOptions,
  taskIds: readonly string[],
  argBindings: readonly TaskArgBinding[] | undefined,
  { xcoms }: TaskStore,
  io: CommandIo,
): Promise<ResultsRecorder | undefined> {
  if (options.results === undefined) return undefined;
  const { openResultsRecorder } = await import("./open-results-recorder.ts");
  return openResultsRecorder(options, taskIds, argBindings, xcoms, io);
}

function tasksOf(target: RunTarget, dagId: string): readonly string[] {
  const tasks = target.dags?.get(dagId);
  if (tasks !== undefined && tasks.length > 0) return tasks;
  const known = [...(target.dags?.keys() ?? [])].map((id) => JSON.stringify(id)).join(", ");
  throw new CliError(
    "unknown-dag",
    `--dag got ${JSON.stringify(dagId)}, which registers no task here; known: ${known === "" ? "none" : known}.`,
    ExitCode.badInput,
    { dagId },
  );
}

/** `--arg NAME=JSON` as the literal bindings of airflow-sdk's `ti_context.arg_bindings`. */
function parseArguments(words: readonly string[], target: RunTarget): TaskArgBinding[] | undefined {
  if (words.length === 0) return undefined;
  if (target.schemaVersion !== "2026-10-30") {
    throw new CliError(
      "usage",
      `--arg needs schema version 2026-10-30: a runtime on ${target.schemaVersion} never receives arguments.`,
      ExitCode.usage,
    );
  }
  return words.map((word) => {
    const at = word.indexOf("=");
    try {
      if (at < 1) throw new Error("there is no NAME=");
      const value: JsonValue = JSON.parse(word.slice(at + 1));
      const name = word.slice(0, at);
      return { name, value_schema: null, kind: "literal", value, from_default: false };
    } catch (error) {
      throw new CliError(
        "usage",
        `--arg got ${JSON.stringify(word)}; it takes NAME=JSON (${(error as Error).message}).`,
        ExitCode.usage,
      );
    }
  });
}

/** In pieces: nothing in it is cut, so it may be longer than one string can be. */
async function printEntries(entries: readonly TaskEntry[], io: CommandIo): Promise<void> {
  await printInPieces(io, (emit) => emitJson({ tasks: entries }, emit));
}
