import { readTaskResource, type TaskDescription, TaskResourceError } from "@parlance/retry";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { readInput } from "../read-input.ts";

/** An answer about all tasks of a large Dag has a few megabytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads what the REST API answered about a task: the task itself, or a list of tasks out of which
 * one is chosen.
 *
 * @param file - `-` for stdin
 * @param taskId - which one of a list; must be the id of a single one too
 * @throws CliError 65: `cannot-read`, `not-json`, `bad-resource`, `no-such-task`
 */
export async function readTaskFile(
  io: CommandIo,
  file: string,
  taskId: string | undefined,
): Promise<TaskDescription> {
  const body = parse(await readText(io, file), file);
  const tasks = (body as { readonly tasks?: unknown } | null)?.tasks;
  const list: readonly unknown[] = Array.isArray(tasks) ? tasks : [body];
  if (list.length !== 1 && taskId === undefined) {
    const message = `${file} is about ${list.length} tasks: say which one with --task.`;
    throw new CliError("no-such-task", message, ExitCode.badInput, { file });
  }
  const found = list.find((each) => taskId === undefined || idOf(each) === taskId) ?? list[0];
  const task = read(found, file);
  if (taskId === undefined || task.taskId === taskId) return task;
  const ids = list.map((each) => JSON.stringify(idOf(each))).slice(0, 10);
  const message = `${file} is not about a task ${JSON.stringify(taskId)}, but about ${ids.join(", ")}.`;
  throw new CliError("no-such-task", message, ExitCode.badInput, { file });
}

async function readText(io: CommandIo, file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readInput(io, file)) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw badFile("not-json", file, `has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badFile("not-json", file, `is no JSON: ${(error as Error).message}`);
  }
}

function read(body: unknown, file: string): TaskDescription {
  try {
    return readTaskResource(body);
  } catch (error) {
    if (!(error instanceof TaskResourceError)) throw error;
    throw badFile(error.code, file, `is no answer about a task: ${error.message}`);
  }
}

function idOf(task: unknown): unknown {
  return (task as { readonly task_id?: unknown } | null)?.task_id;
}

function badFile(code: string, file: string, what: string): CliError {
  const name = file === "-" ? "stdin" : file;
  return new CliError(code, `${name} ${what}`, ExitCode.badInput, { file: name });
}
