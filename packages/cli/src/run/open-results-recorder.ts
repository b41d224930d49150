import type { TaskStore } from "@parlance/coordinator";
import type { TaskArgBinding } from "@parlance/protocol";
import { openResultStore } from "@parlance/results";
import { CliError, ExitCode, usageError } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { readResultsUrl } from "../results/store/read-results-url.ts";
import { toCliError } from "../results/store/to-cli-error.ts";
import { warn } from "../warn.ts";
import { toResultValue } from "./result-value.ts";
import { ResultsRecorder } from "./results-recorder.ts";
import type { RunOptions } from "./run-options.ts";

/** The column's width. */
const MAX_ID_CHARACTERS = 155;

/** What the ids of `--results-id` are made of. */
const PLACEHOLDER = /\{(dag|task|run)\}/g;

/**
 * Opens the result store of `--results`, with its tables; before any task runs, so that a store
 * that can't be reached costs nothing.
 *
 * @returns undefined where no results are asked for
 * @throws CliError `usage`, `bad-url` and the like (2), `cannot-read` (65), `database-unreachable` (69)
 */
export async function openResultsRecorder(
  options: RunOptions,
  taskIds: readonly string[],
  argBindings: readonly TaskArgBinding[] | undefined,
  xcoms: TaskStore["xcoms"],
  io: CommandIo,
): Promise<ResultsRecorder | undefined> {
  const { results } = options;
  if (results === undefined) return undefined;
  const idOf = idMaker(options, results.idTemplate, taskIds);
  const names = { url: "--results", urlFile: "--results-url-file" };
  const url = await readResultsUrl({ ...results, json: options.json, names }, io);
  try {
    const store = await openResultStore(url, {
      extended: true,
      serializer: results.serializer,
      signal: io.signal,
      onWarning: (message) => void warn(io, options.json, "store", `--results: ${message}`),
    });
    const kwargs = kwargsOf(argBindings);
    return new ResultsRecorder({ store, xcoms, options, idOf, kwargs, io });
  } catch (error) {
    if (io.signal.aborted) {
      throw new CliError("aborted", "--results: interrupted before any task ran", ExitCode.failed);
    }
    throw toCliError(error);
  }
}

function idMaker(
  { dagId, runId }: RunOptions,
  template: string,
  taskIds: readonly string[],
): (taskId: string) => string {
  const idOf = (taskId: string): string => {
    const parts: Readonly<Record<string, string>> = { dag: dagId, task: taskId, run: runId };
    return template.replace(PLACEHOLDER, (_, name: string) => parts[name] as string);
  };
  const ids = taskIds.map(idOf);
  if (new Set(ids).size < ids.length) {
    throw usageError(
      `--results-id ${JSON.stringify(template)} gives two tasks one id; it needs {task}`,
    );
  }
  const long = ids.find((id) => [...id].length > MAX_ID_CHARACTERS || id === "");
  if (long === undefined) return idOf;
  const length = [...long].length;
  throw usageError(
    `A task's id in the result store takes 1 to ${MAX_ID_CHARACTERS} characters, and ` +
      `${JSON.stringify(long)} has ${length}; give a shorter --results-id`,
  );
}

function kwargsOf(bindings: readonly TaskArgBinding[] | undefined): ReadonlyMap<string, unknown> {
  const kwargs = new Map<string, unknown>();
  for (const binding of bindings ?? []) {
    if (binding.kind === "literal") kwargs.set(binding.name, toResultValue(binding.value));
  }
  return kwargs;
}
