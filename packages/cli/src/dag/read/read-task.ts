import type { Py } from "../python/expression.ts";
import { asset } from "./assets.ts";
import type { InputFacts, NamedArgument, TaskFacts } from "./dag-facts.ts";
import { attempt, type Field, readFields, warnOfOthers } from "./fields.ts";
import type { Scope } from "./findings.ts";
import { instant } from "./instant.ts";
import { encodedOf, isMap, type JsonMap, listOf, mapOf, textsOf, withoutDicts } from "./json.ts";
import { params } from "./params.ts";
import { backoffField, countField, flagField, oneOf, textField } from "./read-values.ts";
import { UnwritableError } from "./unwritable-error.ts";
import { duration, pythonValue } from "./value.ts";

const TRIGGER_RULES = (
  "all_success all_failed all_done all_done_min_one_success all_done_setup_success one_success one_failed one_done " +
  "none_failed none_failed_min_one_success none_skipped all_skipped always"
).split(" ");

/** What a stub takes, in the order in which it is written. */
export const TASK_FIELDS: readonly Field[] = [
  { key: "_task_display_name", name: "task_display_name", read: textField },
  { key: "owner", read: textField, initial: "airflow" },
  { key: "retries", read: countField, initial: 0 },
  { key: "retry_delay", read: duration, initial: 300 },
  { key: "retry_exponential_backoff", read: backoffField, initial: 0 },
  { key: "max_retry_delay", read: duration },
  { key: "execution_timeout", read: duration },
  { key: "start_date", read: (value) => instant(value, "UTC") },
  { key: "end_date", read: (value) => instant(value, "UTC") },
  { key: "trigger_rule", read: oneOf(TRIGGER_RULES), initial: "all_success" },
  { key: "pool", read: textField, initial: "default_pool" },
  { key: "pool_slots", read: countField, initial: 1 },
  { key: "priority_weight", read: countField, initial: 1 },
  {
    key: "weight_rule",
    read: oneOf(["downstream", "upstream", "absolute"]),
    initial: "downstream",
  },
  { key: "depends_on_past", read: flagField, initial: false },
  { key: "ignore_first_depends_on_past", read: flagField, initial: false },
  { key: "wait_for_past_depends_before_skipping", read: flagField, initial: false },
  { key: "wait_for_downstream", read: flagField, initial: false },
  { key: "max_active_tis_per_dag", read: countField },
  { key: "max_active_tis_per_dagrun", read: countField },
  { key: "map_index_template", read: textField },
  { key: "multiple_outputs", read: flagField, initial: false },
  { key: "do_xcom_push", read: flagField, initial: true },
  { key: "email_on_failure", read: flagField, initial: true },
  { key: "email_on_retry", read: flagField, initial: true },
  { key: "render_template_as_native_obj", read: flagField },
  { key: "executor", read: textField },
  { key: "executor_config", read: emptyOr(pythonValue) },
  { key: "_logger_name", name: "logger_name", read: textField },
  { key: "params", read: (value) => params(value, "task") },
  { key: "inlets", read: emptyOr(assets) },
  { key: "outlets", read: emptyOr(assets) },
  { key: "doc", read: textField },
  { key: "doc_md", read: textField },
  { key: "doc_json", read: textField },
  { key: "doc_yaml", read: textField },
  { key: "doc_rst", read: textField },
];

/** What the decorator of a stub always says itself, so that no `default_args` can. */
export const OWN_ARGUMENTS: ReadonlySet<string> = new Set([
  "queue",
  "executor",
  "multiple_outputs",
]);

/** What the Python file says in another way, or what follows from its being a stub. */
const OTHERS = new Set([
  ...(
    "task_id task_type _task_module _operator_name template_fields template_fields_renderers template_ext " +
    "downstream_task_ids queue ui_color ui_fgcolor is_stub label language python_callable_name op_args op_kwargs " +
    "_needs_expansion _is_mapped _disallow_kwargs_override _expand_input_attr op_kwargs_expand_input expand_input " +
    "partial_kwargs _arg_bindings _parlance weight has_retry_policy _can_skip_downstream task_display_name logger_name"
  ).split(" "),
  ...TASK_FIELDS.map(({ key }) => key),
]);

/** What no stub can have, with the reason. */
const REFUSED: readonly (readonly [key: string, why: string])[] = [
  ["is_setup", "is a set-up task, which the Python file is not written for"],
  ["is_teardown", "is a tear-down task, which the Python file is not written for"],
  ["_is_sensor", "is a sensor; a stub is none"],
  ["start_from_trigger", "starts from a trigger, which takes an operator in Python"],
  ["has_on_execute_callback", "has a callback, and callbacks are functions of Python"],
  ["has_on_failure_callback", "has a callback, and callbacks are functions of Python"],
  ["has_on_retry_callback", "has a callback, and callbacks are functions of Python"],
  ["has_on_skipped_callback", "has a callback, and callbacks are functions of Python"],
  ["has_on_success_callback", "has a callback, and callbacks are functions of Python"],
  ["has_retry_policy", "has a retry policy in Python, which Airflow refuses for stubs"],
];

const COMMENTS: ReadonlyMap<unknown, string> = new Map([
  ["branch", "A branch: what comes directly behind it and is not chosen is skipped."],
  ["short-circuit", "A short circuit: what comes behind it is skipped when it says so."],
]);

/** What of a task does not stand in its own serialised form. */
export interface TaskSurroundings {
  readonly label: string;
  /** For a task that names none. */
  readonly queue: string | undefined;
  /** Of the Dag: what a task says by saying nothing. */
  readonly defaultArgs: JsonMap;
}

/** A serialised task, plain or mapped. */
export function readTask(own: JsonMap, around: TaskSurroundings, scope: Scope): TaskFacts {
  const partial = mapOf(own["partial_kwargs"]);
  const all: JsonMap = { ...own, ...partial };
  for (const [key, why] of REFUSED) if (all[key] === true) scope.refuse(why);
  warnOfOthers(all, OTHERS, scope);
  const queue = queueOf(all, around, scope);
  const parlance = mapOf(withoutDicts(own["_parlance"]));
  const inputs = attempt(() => inputsOf(own, parlance), scope) ?? [];
  return {
    taskId: String(own["task_id"]),
    label: around.label,
    comment: COMMENTS.get(parlance["kind"]),
    queue,
    args: overDefaults(all, around.defaultArgs, scope),
    inputs,
    isMapped: own["_is_mapped"] === true || inputs.some(({ isEach }) => isEach),
    downstream: textsOf(own["downstream_task_ids"]),
  };
}

function queueOf(all: JsonMap, around: TaskSurroundings, scope: Scope): string {
  const queue = all["queue"] ?? around.defaultArgs["queue"] ?? around.queue;
  if (typeof queue === "string") return queue;
  scope.refuse(
    "names no queue, and on that of all tasks Airflow would run the stub in Python: say `queue` in " +
      "the program, or --queue",
  );
  return "";
}

/** Fields that differ from what the Dag's `default_args`, or else Airflow, would make of them. */
function overDefaults(all: JsonMap, defaults: JsonMap, scope: Scope): readonly NamedArgument[] {
  const said: Record<string, unknown> = {};
  const fields = TASK_FIELDS.map((field) => {
    const { key, name = key, initial } = field;
    const value = all[key] ?? all[name] ?? initial;
    if (value !== undefined) said[key] = bare(value);
    return {
      ...field,
      initial: bare((OWN_ARGUMENTS.has(name) ? undefined : defaults[name]) ?? initial),
    };
  });
  return readFields(said, fields, scope);
}

/** Durations are wrapped in some places and bare in others. */
function bare(value: unknown): unknown {
  const encoded = encodedOf(value);
  return encoded?.type === "timedelta" ? encoded.var : value;
}

function inputsOf(own: JsonMap, parlance: JsonMap): readonly InputFacts[] {
  const expand = own[String(own["_expand_input_attr"])] ?? own["expand_input"];
  const said = parlance["inputs"];
  if (isMap(said)) {
    return Object.entries(said).flatMap(([name, input]): InputFacts[] => {
      const { kind, task_id: taskId, key = "return_value", value, dag_id: dagId } = mapOf(input);
      const isEach = kind === "each" || kind === "each-literal";
      if (kind === "each-literal") return [{ name, isEach, from: { literal: pythonValue(value) } }];
      if (typeof taskId !== "string" || (dagId ?? null) !== null) return [];
      return [{ name, isEach, from: { taskId, key: String(key) } }];
    });
  }
  return expand === undefined ? [] : expandInputs(mapOf(expand));
}

/** What a task without `_parlance` is mapped over. */
function expandInputs({ type, value }: JsonMap): readonly InputFacts[] {
  if (type !== "dict-of-lists") throw new UnwritableError("expand_kwargs");
  const lists = mapOf(encodedOf(value)?.var ?? value);
  return Object.entries(lists).map(([name, list]) => {
    const encoded = encodedOf(list);
    if (encoded?.type !== "xcomref")
      return { name, isEach: true, from: { literal: pythonValue(list) } };
    const { task_id: taskId, key } = mapOf(encoded.var);
    return { name, isEach: true, from: { taskId: String(taskId), key: String(key) } };
  });
}

function assets(value: unknown): Py {
  return { list: listOf(value).map(asset) };
}

function emptyOr(read: (value: unknown) => Py): (value: unknown) => Py | undefined {
  return (value) => {
    const inner = encodedOf(value)?.var ?? value;
    const isEmpty = typeof inner === "object" && inner !== null && Object.keys(inner).length === 0;
    return isEmpty ? undefined : read(value);
  };
}
