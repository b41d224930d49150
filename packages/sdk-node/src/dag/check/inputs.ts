import type { JsonValue } from "../../client/xcom-value.ts";
import { RegistrationError } from "../../errors.ts";
import { checkInputs } from "../../inputs/check-inputs.ts";
import { Input, type InputDeclarations, isInput } from "../../inputs/input.ts";
import { checkJsonValue, encodeValue } from "../../values/encode-value.ts";
import type { DagDraft, TaskDraft } from "../build/draft.ts";
import type { InputModel } from "../dag-model.ts";
import { allOf, elementOf } from "../runtime/mapped-inputs.ts";
import { checkEachName } from "./names.ts";
import { refuse } from "./refuse.ts";

const RESULT_KEY = "return_value";
const INPUT = 'the id of a task, or fromTask("…"), fromConf("…") or literal(…)';

/** Where a task is declared. */
interface Place {
  readonly draft: DagDraft;
  readonly prefix: string;
}

/** What a task's inputs come to. */
export type InputParts = Pick<TaskDraft, "inputs" | "declarations" | "expand">;

/**
 * Reads `inputs` and `forEach`.
 *
 * @throws RegistrationError `bad-option` or `unknown-task`
 */
export function readInputs(
  where: string,
  given: unknown,
  forEach: unknown,
  place: Place,
): InputParts {
  const inputs: { [name: string]: InputModel } = {};
  const declarations: { [name: string]: Input } = {};
  for (const [name, declared] of entriesOf(where, "inputs", given)) {
    const what = `the input ${JSON.stringify(name)}`;
    [inputs[name], declarations[name]] = readInput(where, what, declared, place);
  }
  const each = entriesOf(where, "forEach", forEach);
  const elements: { [name: string]: InputModel } = {};
  for (const [name, declared] of each) {
    checkEachName(where, name);
    if (Object.hasOwn(inputs, name)) {
      const message = `${where}: ${JSON.stringify(name)} is an input and under forEach; choose two names`;
      throw new RegistrationError("bad-option", message);
    }
    elements[name] = readEach(where, name, declared, place);
  }
  if (forEach !== undefined && each.length === 0) refuse(where, "forEach", {}, "at least one name");
  for (const [name] of each) declarations[name] = elementOf(name, elements, place.draft);
  checkInputs(declarations, where);
  return {
    inputs: { ...inputs, ...elements },
    declarations: declarations as InputDeclarations,
    expand: forEach === undefined ? null : each.map(([name]) => name),
  };
}

function entriesOf(where: string, what: string, given: unknown): readonly [string, unknown][] {
  if (given === undefined) return [];
  if (typeof given !== "object" || given === null || Array.isArray(given) || isInput(given)) {
    refuse(where, what, given, 'an object such as { rows: "extract" }');
  }
  return Object.entries(given);
}

function readInput(
  where: string,
  what: string,
  declared: unknown,
  place: Place,
): readonly [InputModel, Input] {
  if (typeof declared === "string") {
    return fromOwnTask(where, what, declared, RESULT_KEY, undefined, place);
  }
  if (!isInput(declared)) refuse(where, what, declared, INPUT);
  const { source } = declared;
  switch (source.kind) {
    case "task": {
      const { taskId, key = RESULT_KEY, dagId = null } = source;
      const isOwn = dagId === null || dagId === place.draft.facts.dagId;
      const isOfThisRun = isOwn && source.runId === undefined && !source.includePriorDates;
      if (isOfThisRun) return fromOwnTask(where, what, taskId, key, declared, place);
      return [{ kind: "xcom", taskId, key, dagId: dagId ?? place.draft.facts.dagId }, declared];
    }
    case "conf":
      return [{ kind: "conf", name: source.key }, declared];
    case "literal":
      return [{ kind: "literal", value: jsonOf(where, what, source.value) }, declared];
    case "argument": {
      const message = `${where}: ${what} is fromArgument(…), which only a Dag in Python can give; expected ${INPUT}`;
      throw new RegistrationError("bad-option", message);
    }
    default: {
      const message = `${where}: ${what} is eachOf(…); expected ${INPUT}. To be run once for each element: { forEach: { ${JSON.stringify(what.slice(11, -1))}: "…" } }`;
      throw new RegistrationError("bad-option", message);
    }
  }
}

/** What a task of the same Dag stored, in the same run. */
function fromOwnTask(
  where: string,
  what: string,
  name: string,
  key: string,
  declared: Input | undefined,
  place: Place,
): readonly [InputModel, Input] {
  const taskId = findTask(where, what, name, place);
  const model = { kind: "xcom", taskId, key, dagId: null } as const;
  const source = declared?.source.kind === "task" ? declared.source : undefined;
  const options = {
    argument: declared?.argument,
    parse: declared?.parse,
    ...(declared?.fallback && { default: declared.fallback.value }),
  };
  const isWholeSeries = (source?.mapIndex ?? null) === null;
  if (isWholeSeries && place.draft.tasks.get(taskId)?.expand != null) {
    return [model, new Input(allOf(taskId, key), options)];
  }
  const whole = { dagId: undefined, runId: undefined, mapIndex: null, includePriorDates: false };
  return [model, new Input({ ...whole, ...source, kind: "task", taskId, key }, options)];
}

function readEach(where: string, name: string, declared: unknown, place: Place): InputModel {
  const what = `forEach.${name}`;
  if (typeof declared === "string") {
    return { kind: "each", taskId: findTask(where, what, declared, place), key: RESULT_KEY };
  }
  if (isInput(declared) || typeof declared !== "object" || declared === null) {
    refuse(where, what, declared, "the id of the task whose list it is, or a list, or a map");
  }
  const value = jsonOf(where, what, declared) as readonly JsonValue[];
  if (Object.keys(value).length === 0) {
    refuse(where, what, declared, "at least one element: over none the task would never be run");
  }
  return { kind: "each-literal", value };
}

function findTask(where: string, what: string, name: string, { draft, prefix }: Place): string {
  const node = draft.find(name, prefix);
  if (node?.kind === "task") return node.id;
  const isGroup = node === undefined ? "" : ", which is a group and has no result";
  const message = `${where}: ${what} is of the task ${JSON.stringify(name)}${isGroup}, expected a task that is declared before; ${draft.names}`;
  throw new RegistrationError("unknown-task", message);
}

function jsonOf(where: string, what: string, value: unknown): JsonValue {
  try {
    checkJsonValue(value, what);
    return value as JsonValue;
  } catch (error) {
    const isOther = !what.startsWith("forEach");
    if (isOther) return encodeValue(value, what) as JsonValue;
    throw new RegistrationError("bad-option", `${where}: ${(error as Error).message}`);
  }
}
