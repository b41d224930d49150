import { type StoreInput, TaskFailure, type TaskRequest } from "@parlance/results";
import { CliError, ExitCode, usageError } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { readInput } from "../read-input.ts";
import type { PutFlags } from "./put-flags.ts";
import { parseNodes } from "./values/parse-nodes.ts";
import { parseResultValue } from "./values/parse-result-value.ts";

/** The result of these is an exception: Celery can't read a row that has anything else. */
const EXCEPTION_STATES: ReadonlySet<string> = new Set(["FAILURE", "RETRY", "REVOKED"]);

/** The largest that still becomes one string. */
const MAX_RESULT_BYTES = 500_000_000;

/** What to store, and whether the extended columns are written. */
export interface PutInput {
  readonly input: StoreInput;
  readonly extended: boolean;
}

/**
 * Reads what `put` shall store, before a database is asked for.
 *
 * @throws CliError `usage` (2); `cannot-read`, `bad-json`, `bad-value` (65)
 */
export async function readPutInput(flags: PutFlags, io: CommandIo): Promise<PutInput> {
  const tags = flags.serializer === "json";
  const request: TaskRequest = {
    ...(flags.name !== undefined && { task: flags.name }),
    ...(flags.args !== undefined && { args: listOf(flags.args, "--args", tags) }),
    ...(flags.kwargs !== undefined && { kwargs: mapOf(flags.kwargs, "--kwargs", tags) }),
    ...(flags.worker !== undefined && { hostname: flags.worker }),
    ...(flags.retries !== undefined && { retries: flags.retries }),
    ...(flags.queue !== undefined && { routingKey: flags.queue }),
  };
  const stamps = stampsOf(flags, tags);
  const extended = flags.extended === true || Object.keys({ ...request, ...stamps }).length > 0;
  const result = await readResult(flags, tags, io);
  const { traceback, children } = flags;
  const input: StoreInput = {
    state: flags.state,
    result,
    ...(traceback !== undefined && { traceback }),
    ...(children !== undefined && { children: parseNodes(children, "--children") }),
    ...(extended && { request }),
    ...stamps,
  };
  return { input, extended };
}

async function readResult(flags: PutFlags, tags: boolean, io: CommandIo): Promise<unknown> {
  const { result, resultFile, excType, excModule, excMessage } = flags;
  const given = [result, resultFile, excType].filter((word) => word !== undefined);
  if (given.length > 1) {
    throw usageError("--result, --result-file and --exc-type can't be given together");
  }
  const isException = EXCEPTION_STATES.has(flags.state);
  if (excType !== undefined) {
    if (isException) return failure(excType, excModule, excMessage);
    throw usageError(
      `--exc-type is for ${[...EXCEPTION_STATES].join(", ")}, not for ${flags.state}`,
    );
  }
  if (excModule !== undefined || excMessage !== undefined) {
    throw usageError("--exc-module and --exc-message need --exc-type");
  }
  const value =
    resultFile === undefined
      ? result === undefined
        ? null
        : parseResultValue(result, "--result", { tags })
      : parseResultValue(await readText(resultFile, io), "--result-file", { tags });
  if (isException && value !== null && !isStoredException(value)) {
    throw new CliError(
      "bad-value",
      `The result of ${flags.state} is an exception: give --exc-type, or --result with an object ` +
        'such as {"exc_type":"ValueError","exc_message":["why"],"exc_module":"builtins"}.',
      ExitCode.badInput,
    );
  }
  return value;
}

function failure(type: string, module = "builtins", args: readonly string[] = []): TaskFailure {
  try {
    return new TaskFailure({ type, module, args });
  } catch (error) {
    throw usageError(
      `--exc-type and --exc-module take names of Python (${(error as Error).message})`,
    );
  }
}

function isStoredException(value: unknown): boolean {
  return value instanceof Map && typeof value.get("exc_type") === "string";
}

function stampsOf(
  { stamps, stampedHeaders }: PutFlags,
  tags: boolean,
): Pick<StoreInput, "stamps" | "stampedHeaders"> {
  return {
    ...(stamps !== undefined && { stamps: Object.fromEntries(mapOf(stamps, "--stamps", tags)) }),
    ...(stampedHeaders !== undefined && {
      stampedHeaders: listOf(stampedHeaders, "--stamped-headers", tags).map(nameOf),
    }),
  };
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  const message = "--stamped-headers takes a JSON array of names.";
  throw new CliError("bad-value", message, ExitCode.badInput);
}

function listOf(text: string, what: string, tags: boolean): readonly unknown[] {
  const value = parseResultValue(text, what, { tags });
  if (Array.isArray(value)) return value;
  throw new CliError("bad-value", `${what} takes a JSON array.`, ExitCode.badInput);
}

function mapOf(text: string, what: string, tags: boolean): ReadonlyMap<unknown, unknown> {
  const value = parseResultValue(text, what, { tags });
  if (value instanceof Map) return value;
  throw new CliError("bad-value", `${what} takes a JSON object.`, ExitCode.badInput);
}

async function readText(file: string, io: CommandIo): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readInput(io, file)) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > MAX_RESULT_BYTES) {
      const message = `--result-file is longer than ${MAX_RESULT_BYTES} bytes.`;
      throw new CliError("bad-value", message, ExitCode.badInput, { file });
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    const message = "--result-file is not JSON: it is not UTF-8.";
    throw new CliError("bad-json", message, ExitCode.badInput, { file }, { cause });
  }
}
