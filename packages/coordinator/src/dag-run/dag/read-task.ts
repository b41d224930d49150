import type { TaskArgBinding } from "@parlance/protocol";
import {
  deserializeMultiplier,
  readMappedMultiplier,
  type StoredMultiplier,
} from "@parlance/retry";
import { readMapping } from "./read-mapping.ts";
import { FieldReader, isMap, type JsonMap, unwrapped } from "./reader.ts";
import type { RunnableTask, TaskInput, TriggerRule } from "./runnable-dag.ts";

/** A task as its own part of the document says; the rest comes from the whole Dag. */
export type TaskPart = Omit<
  RunnableTask,
  "groupId" | "upstream" | "totalPriorityWeight" | "isMapped"
> & { readonly weightRule: string };

const TRIGGER_RULES: ReadonlySet<string> = new Set<TriggerRule>([
  ...(["all_success", "all_failed", "all_done", "all_done_min_one_success"] as const),
  ...(["all_done_setup_success", "one_success", "one_failed", "one_done"] as const),
  ...([
    "none_failed",
    "none_failed_min_one_success",
    "none_skipped",
    "all_skipped",
    "always",
  ] as const),
]);

const DEFAULT_RETRY_DELAY_SECONDS = 300;

/** One entry of `tasks`: `{"__type": "operator", "__var": {…}}`. */
export function readTask(entry: unknown, dagId: string, path: string): TaskPart {
  const outer = new FieldReader(isMap(entry) ? entry : {}, { dagId, path });
  const fields = outer.raw("__var");
  if (outer.raw("__type") !== "operator" || !isMap(fields)) {
    return outer.fail(
      "bad-dag",
      "",
      'it is no task: expected {"__type": "operator", "__var": {…}}',
    );
  }
  const isMapped = fields["_is_mapped"] === true;
  // What a mapped task has beside its mapping is what its instances are made with.
  const partial = isMapped && isMap(fields["partial_kwargs"]) ? fields["partial_kwargs"] : {};
  const task = new FieldReader({ ...partial, ...fields }, { dagId, path: `${path}/__var` });
  const taskId = task.text("task_id");
  if (taskId === null || taskId === "")
    return task.fail("bad-dag", "task_id", "the task has no id");
  const given = unwrapped(fields["_parlance"]); // Airflow demands its own encoding there, too
  const own = isMap(given) ? given : {};
  refuseWhatPythonRuns(task, fields, taskId);
  const kind = kindOf(own["kind"]);
  const expandKey = task.text("_expand_input_attr") ?? "expand_input";
  return {
    taskId,
    displayName: task.text("_task_display_name") ?? task.text("task_display_name") ?? taskId,
    kind,
    downstream: [...new Set(task.texts("downstream_task_ids"))],
    triggerRule: triggerRuleOf(task),
    retries: Math.max(0, Math.trunc(task.number("retries") ?? 0)),
    retryDelaySeconds: task.seconds("retry_delay") ?? DEFAULT_RETRY_DELAY_SECONDS,
    retryExponentialBackoff: multiplierOf(task, isMapped),
    maxRetryDelaySeconds: task.seconds("max_retry_delay"),
    executionTimeoutSeconds: task.seconds("execution_timeout"),
    pool: task.text("pool") ?? "default_pool",
    poolSlots: task.whole("pool_slots", 1) ?? 1,
    queue: task.text("queue") ?? "default",
    priorityWeight: task.number("priority_weight") ?? 1,
    weightRule: task.text("weight_rule") ?? task.text("_weight_rule") ?? "downstream",
    maxActiveTisPerDag: task.whole("max_active_tis_per_dag", 1),
    maxActiveTisPerDagRun: task.whole("max_active_tis_per_dagrun", 1),
    // Airflow lets wait_for_downstream imply depends_on_past where the Dag is written.
    dependsOnPast: task.flag("depends_on_past") || task.flag("wait_for_downstream"),
    ignoreFirstDependsOnPast: task.flag("ignore_first_depends_on_past"),
    waitForDownstream: task.flag("wait_for_downstream"),
    isSetup: task.flag("is_setup"),
    isTeardown: task.flag("is_teardown"),
    onFailureFailDagRun: task.flag("on_failure_fail_dagrun"),
    canSkipDownstream: task.flag("_can_skip_downstream") || kind !== "task",
    isEmpty: isEmpty(task),
    mapping: isMapped ? readMapping(task, expandKey) : null,
    inputs: readInputs(own["inputs"]),
    argBindings: readBindings(task),
    docMd: task.text("doc_md") ?? (typeof own["doc"] === "string" ? own["doc"] : null),
    operatorName: task.text("_operator_name") ?? task.text("task_type") ?? "BaseOperator",
    owner: task.text("owner") ?? "airflow",
    startEpochSeconds: epochOf(task.raw("start_date")),
    endEpochSeconds: epochOf(task.raw("end_date")),
  };
}

function kindOf(kind: unknown): RunnableTask["kind"] {
  return kind === "branch" || kind === "short-circuit" ? kind : "task";
}

/**
 * Operators of Python have template fields, or come from a module of Airflow. A stub has both, and is
 * run by the program; so is whatever names another language, and what our own Dags mark as theirs.
 */
function refuseWhatPythonRuns(task: FieldReader, fields: JsonMap, taskId: string): void {
  if (isMap(fields["_parlance"]) || task.flag("is_stub") || task.flag("_is_empty")) return;
  if (task.text("task_type") === "_StubOperator") return; // 3.3 has no is_stub
  const language = task.text("language");
  if (language !== null && language !== "python") return;
  const module = task.text("_task_module") ?? "";
  const isPython =
    language === "python" ||
    module.startsWith("airflow.") ||
    task.texts("template_fields").length > 0 ||
    task.has("python_callable_name");
  if (!isPython) return;
  const operator = task.text("_operator_name") ?? task.text("task_type") ?? "an operator";
  task.fail(
    "python-task",
    "",
    `task ${JSON.stringify(taskId)} is ${operator} of Python, which only Airflow runs; make it a task of this program (or @task.stub), or run single tasks with --task`,
  );
}

function triggerRuleOf(task: FieldReader): TriggerRule {
  const rule = task.text("trigger_rule") ?? "all_success";
  if (TRIGGER_RULES.has(rule)) return rule as TriggerRule;
  return task.fail(
    "unsupported",
    "trigger_rule",
    `the trigger rule ${JSON.stringify(rule)} is not known; Airflow would never start the task. Expected one of ${[...TRIGGER_RULES].join(", ")}`,
  );
}

function multiplierOf(task: FieldReader, isMapped: boolean): number {
  const stored = task.raw("retry_exponential_backoff") as StoredMultiplier;
  try {
    return Number(isMapped ? readMappedMultiplier(stored ?? 0) : deserializeMultiplier(stored));
  } catch (error) {
    return task.fail("bad-dag", "retry_exponential_backoff", (error as Error).message);
  }
}

/** Airflow runs nothing for an EmptyOperator, unless somebody listens to it or assets hang on it. */
function isEmpty(task: FieldReader): boolean {
  const has = (key: string): boolean => {
    const value = task.raw(key);
    return Array.isArray(value) ? value.length > 0 : value === true;
  };
  const listens = ["has_on_execute_callback", "has_on_success_callback", "outlets", "inlets"].some(
    has,
  );
  return task.flag("_is_empty") && !listens;
}

function readInputs(inputs: unknown): { readonly [name: string]: TaskInput } {
  if (!isMap(inputs)) return {};
  const known = Object.entries(inputs).filter(([, input]) => isMap(input));
  return Object.fromEntries(known.map(([name, input]) => [name, inputOf(input as JsonMap)]));
}

function inputOf(input: JsonMap): TaskInput {
  const { kind, task_id: taskId, key, name, value } = input;
  if (kind === "xcom" || kind === "each") {
    return { kind, taskId: String(taskId), key: typeof key === "string" ? key : "return_value" };
  }
  if (kind === "param" || kind === "conf") return { kind, name: String(name) };
  return { kind: kind === "each-literal" ? kind : "literal", value: value ?? null };
}

function readBindings(task: FieldReader): readonly TaskArgBinding[] | null {
  const bindings = task.raw("_arg_bindings");
  return Array.isArray(bindings) ? (unwrapped(bindings) as TaskArgBinding[]) : null;
}

function epochOf(value: unknown): number | null {
  const inner = isMap(value) && value["__type"] === "datetime" ? value["__var"] : value;
  return typeof inner === "number" ? inner : null;
}
