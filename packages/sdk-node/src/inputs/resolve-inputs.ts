import type { TaskClient } from "../client/task-client.ts";
import type { TaskContext } from "../context.ts";
import type { Logger } from "../logs/logger.ts";
import { pythonKind } from "../values/python-kind.ts";
import type { ArgumentBinding } from "./argument-binding.ts";
import { matchArguments } from "./argument-names.ts";
import type { Input, InputDeclarations, InputSource } from "./input.ts";
import { InputError } from "./input-error.ts";

/** What inputs are resolved with. */
export interface InputParts {
  readonly declarations: InputDeclarations;
  /** What arrived with the startup details; null when nothing did. */
  readonly bindings: readonly ArgumentBinding[] | null;
  readonly client: TaskClient;
  readonly context: TaskContext;
  /** Hears of arguments that no input takes. */
  readonly log: Logger;
}

/**
 * Fetches the inputs of a task, all at the same time. An argument that the Python Dag binds wins;
 * without one the input comes from where it was declared to come from.
 *
 * @throws InputError, and what the client's calls throw
 */
export async function resolveInputs(parts: InputParts): Promise<{ [name: string]: unknown }> {
  const { declarations, bindings, log } = parts;
  const matches = matchArguments(declarations, bindings ?? []);
  const names = Object.keys(declarations);
  if (names.length > 0) tellUnused(bindings ?? [], new Set(matches.values()), log);
  const values = await Promise.all(
    names.map((name) => resolveOne(name, declarations[name] as Input, matches.get(name), parts)),
  );
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

function tellUnused(
  bindings: readonly ArgumentBinding[],
  used: ReadonlySet<ArgumentBinding>,
  log: Logger,
): void {
  const unused = bindings.filter((binding) => {
    return !used.has(binding) && !(binding.kind === "literal" && binding.isDefault);
  });
  if (unused.length === 0) return;
  log.warning("The Dag passes arguments that this task declares no inputs for", {
    arguments: unused.map(({ argument }) => argument),
  });
}

async function resolveOne(
  name: string,
  input: Input,
  binding: ArgumentBinding | undefined,
  parts: InputParts,
): Promise<unknown> {
  if (binding?.kind === "unknown") {
    const message = `the argument ${quote(binding.argument)} is bound as ${quote(binding.name)}, expected xcom or literal: this Airflow is newer than this program`;
    throw new InputError("input-unsupported", name, message);
  }
  const value = await fetchValue(name, input, binding, parts);
  if (binding?.schema) {
    const { findMismatch } = await import("./value-schema.ts"); // few programs are told schemas
    const mismatch = findMismatch(value, binding.schema);
    if (mismatch !== undefined) {
      const message = `input ${quote(name)}: ${mismatch}, as the parameter ${quote(binding.argument)} is annotated in Python`;
      throw new InputError("input-mismatch", name, message);
    }
  }
  if (input.parse === undefined) return value;
  try {
    return input.parse(value);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InputError("input-rejected", name, `input ${quote(name)}: ${why}`, { cause });
  }
}

function fetchValue(
  name: string,
  input: Input,
  binding: ArgumentBinding | undefined,
  parts: InputParts,
): Promise<unknown> | unknown {
  if (binding?.kind === "literal") return binding.value;
  const source: InputSource =
    binding?.kind === "xcom" ? { ...ONE_RESULT, taskId: binding.taskId } : input.source;
  switch (source.kind) {
    case "literal":
      return source.value;
    case "computed":
      return source.compute(parts);
    case "conf": {
      const { conf } = parts.context;
      if (Object.hasOwn(conf, source.key)) return conf[source.key];
      return absent(name, input, `the run's conf has no ${quote(source.key)}`);
    }
    case "argument":
      return absent(
        name,
        input,
        "the Dag passes no argument of that name, or Airflow does not tell (only 3.4 does, and only " +
          "a program packed with --schema-version 2026-10-30; parlance run: --arg NAME=VALUE)",
      );
    case "each":
    case "each-of-list":
      return fetchElement(name, source, parts);
    case "task":
      return fetchResult(name, input, source, parts.client);
  }
}

const ONE_RESULT = {
  kind: "task",
  key: undefined,
  dagId: undefined,
  runId: undefined,
  mapIndex: null,
  includePriorDates: false,
} as const;

async function fetchResult(
  name: string,
  input: Input,
  source: InputSource & { readonly kind: "task" },
  client: TaskClient,
): Promise<unknown> {
  const value = await client.getXCom(source);
  if (value !== null) return value;
  // Stock 3.3 answers null for a stored null, for nothing at all, and for a mapped task.
  const series = {
    taskId: source.taskId,
    key: source.key,
    dagId: source.dagId,
    runId: source.runId,
  };
  if (
    source.includePriorDates ||
    source.mapIndex !== null ||
    (await client.countXComs(series)) === 0
  ) {
    return absent(
      name,
      input,
      `${describe(source)} stored nothing in this run (does it run before this task, and return a value?)`,
    );
  }
  const [first = null] = await client.getXComSlice({ ...series, start: 0, stop: 1 });
  if (first === null) return null;
  const message = `input ${quote(name)}: ${describe(source)} is mapped; say which instance with mapIndex, or take eachOf(…) in a task that is mapped over it`;
  throw new InputError("input-missing", name, message);
}

/** The element at the task's own map index. */
async function fetchElement(
  name: string,
  source: InputSource & { readonly kind: "each" | "each-of-list" },
  { client, context: { mapIndex } }: InputParts,
): Promise<unknown> {
  const fault = (what: string) =>
    new InputError("input-missing", name, `input ${quote(name)}: ${what}`);
  if (mapIndex < 0) {
    throw fault("this task is not mapped, so it has no element of its own; use fromTask(…)");
  }
  const from = source.kind === "each" ? describe(source) : "the list";
  const whole = source.kind === "each" ? await client.getXCom(source) : source.list;
  if (whole === null && source.kind === "each") {
    const part = { start: mapIndex, stop: mapIndex + 1 };
    const [item] = await client.getXComSlice({ ...source, ...part });
    if (item === undefined) throw fault(`${from} has no instance ${mapIndex}`);
    return item;
  }
  const list = elementsOf(whole);
  if (list === undefined) throw fault(`${from} stored no list and no map`);
  if (mapIndex < list.length) return list[mapIndex];
  throw fault(`${from} has ${list.length} elements, and this is instance ${mapIndex}`);
}

/** What Airflow expands over: a list, or the entries of a map. */
function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const isMap = typeof value === "object" && value !== null && pythonKind(value) === undefined;
  return isMap ? Object.entries(value) : undefined;
}

function absent(name: string, input: Input, why: string): unknown {
  if (input.fallback !== null) return input.fallback.value;
  const message = `input ${quote(name)}: ${why}, and there is no default`;
  throw new InputError("input-missing", name, message);
}

function describe({ taskId, key }: { taskId: string; key: string | undefined }): string {
  return key === undefined
    ? `task ${quote(taskId)}`
    : `XCom ${quote(key)} of task ${quote(taskId)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
