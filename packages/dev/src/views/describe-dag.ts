import type { SecretMasker } from "@parlance/coordinator";
import type { RunnableDag, RunnableParam, RunnableTask } from "@parlance/coordinator/dag-run";
import type {
  DagDescription,
  OperatorDescription,
  ParamDescription,
  TaskDescription,
} from "@parlance/retry";
import { toParam } from "./dag-view.ts";

/**
 * A Dag as Airflow's own API describes it; see `@parlance/retry`. Defaults of params that are secret
 * are `***`, which Airflow's server shows.
 */
export function describeDag(dag: RunnableDag, masker: SecretMasker): DagDescription {
  const written = writtenTasks(dag);
  return {
    dagId: dag.dagId,
    startDate: dateOf(dag.serialized.dag["start_date"]),
    endDate: dateOf(dag.serialized.dag["end_date"]),
    params: Object.fromEntries(dag.params.map((param) => [param.name, paramOf(param, masker)])),
    tasks: dag.tasks.map((task) => describeTask(task, written.get(task.taskId) ?? {}, masker)),
  };
}

type Fields = { readonly [name: string]: unknown };

function describeTask(task: RunnableTask, written: Fields, masker: SecretMasker): TaskDescription {
  return {
    taskId: task.taskId,
    displayName: task.displayName,
    owner: task.owner,
    startDate: dateOf(task.startEpochSeconds),
    endDate: dateOf(task.endEpochSeconds),
    triggerRule: task.triggerRule,
    // As written: the engine lets wait_for_downstream imply it.
    dependsOnPast: written["depends_on_past"] === true,
    waitForDownstream: task.waitForDownstream,
    retries: task.retries,
    queue: task.queue,
    pool: task.pool,
    poolSlots: task.poolSlots,
    executionTimeoutUs: microsecondsOf(task.executionTimeoutSeconds),
    retryDelayUs: microsecondsOf(task.retryDelaySeconds),
    retryExponentialBackoff: task.retryExponentialBackoff,
    priorityWeight: task.priorityWeight,
    weightRule: textOf(written["weight_rule"]) ?? textOf(written["_weight_rule"]),
    docMd: task.docMd,
    isMapped: written["_is_mapped"] === true,
    downstreamTaskIds: task.downstream,
    operator: operatorOf(task, written),
    params: ownParams(written["params"], masker),
  };
}

function operatorOf(task: RunnableTask, written: Fields): OperatorDescription {
  const fields = written["template_fields"];
  return {
    className: textOf(written["task_type"]) ?? "BaseOperator",
    modulePath: textOf(written["_task_module"]) ?? null,
    name: task.operatorName,
    ...colorOf("uiColor", written["ui_color"]),
    ...colorOf("uiFgcolor", written["ui_fgcolor"]),
    ...(Array.isArray(fields) && { templateFields: fields.filter((f) => typeof f === "string") }),
  };
}

function colorOf(name: "uiColor" | "uiFgcolor", color: unknown): Partial<OperatorDescription> {
  return typeof color === "string" ? { [name]: color } : {};
}

/** The document has what the engine has no use for. A mapped task has a part of it one level deeper. */
function writtenTasks({ serialized }: RunnableDag): ReadonlyMap<string, Fields> {
  const tasks = serialized.dag["tasks"];
  const found = new Map<string, Fields>();
  for (const entry of Array.isArray(tasks) ? tasks : []) {
    const fields = isMap(entry) && isMap(entry["__var"]) ? entry["__var"] : {};
    const partial = isMap(fields["partial_kwargs"]) ? fields["partial_kwargs"] : {};
    if (typeof fields["task_id"] === "string") {
      found.set(fields["task_id"], { ...partial, ...fields });
    }
  }
  return found;
}

function isMap(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Params of the task itself; those of the Dag stand beside them. */
function ownParams(params: unknown, masker: SecretMasker): TaskDescription["params"] {
  const own: Record<string, ParamDescription> = {};
  for (const entry of Array.isArray(params) ? params : []) {
    const [name, param] = (Array.isArray(entry) ? entry : []) as unknown[];
    if (typeof name !== "string" || !isMap(param) || param["source"] !== "task") continue;
    const hasDefault = Object.hasOwn(param, "default");
    const description = textOf(param["description"]) ?? null;
    const schema = isMap(param["schema"]) ? unwrapped(param["schema"]) : {};
    const shown = { name, hasDefault, default: param["default"], schema, description };
    own[name] = paramOf(shown, masker);
  }
  return own;
}

function paramOf(param: RunnableParam, masker: SecretMasker): ParamDescription {
  const { value, schema, description } = toParam(param, masker);
  return { value, schema, description };
}

/** Airflow writes a map as `{"__type": "dict", "__var": {…}}` in places. */
function unwrapped(map: Fields): Fields {
  return map["__type"] === "dict" && isMap(map["__var"]) ? map["__var"] : map;
}

function dateOf(epochSeconds: unknown): Date | null {
  return typeof epochSeconds === "number" ? new Date(epochSeconds * 1000) : null;
}

function microsecondsOf(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1e6);
}
