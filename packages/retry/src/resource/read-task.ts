import { CORE_DEFAULTS, DEFAULT_RETRY_DELAY_US } from "../config/core-defaults.ts";
import type { Instant } from "../time/instant.ts";
import type { DagDescription, TaskDescription } from "./dag-description.ts";
import { badDag, FieldReader } from "./field-reader.ts";
import { sortByKey } from "./order.ts";
import { readParams } from "./read-params.ts";
import { shownMultiplier } from "./shown-multiplier.ts";
import type { ParamResource } from "./task-resource.ts";

const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
const SDK_MODULE = "airflow.sdk.bases.operator";

/** A task with every default filled in and every value exact: what is sorted, and then shown. */
export interface ReadTask {
  readonly taskId: string;
  readonly displayName: string;
  readonly owner: string;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  readonly triggerRule: string;
  readonly dependsOnPast: boolean;
  readonly waitForDownstream: boolean;
  readonly retries: number;
  readonly queue: string;
  readonly pool: string;
  readonly poolSlots: number;
  readonly executionTimeoutUs: bigint | null;
  readonly retryDelayUs: bigint;
  /** May be NaN or infinite; null where it was text that is no number. */
  readonly multiplier: number | null;
  readonly priorityWeight: number;
  readonly weightRule: string;
  readonly uiColor: string;
  readonly uiFgcolor: string;
  readonly templateFields: readonly string[];
  readonly downstreamTaskIds: readonly string[];
  readonly docMd: string | null;
  readonly operatorName: string;
  readonly params: Readonly<Record<string, ParamResource>>;
  readonly modulePath: string | null;
  readonly className: string;
  readonly isMapped: boolean;
}

/**
 * The tasks of a Dag in order of definition.
 *
 * @throws TaskResourceError `bad-dag`
 */
export function readTasks(dag: DagDescription): readonly ReadTask[] {
  const reader = new FieldReader(dag, "dag");
  if (reader.text("dagId", "") === "") throw badDag("dag.dagId", "is missing");
  const tasks: unknown = dag.tasks;
  if (!Array.isArray(tasks)) throw badDag("dag.tasks", "has to be a list");
  const read = tasks.map((task, at) => readTask(dag, task, `dag.tasks[${at}]`));
  const ids = new Set<string>();
  for (const [at, { taskId }] of read.entries()) {
    if (ids.has(taskId)) throw badDag(`dag.tasks[${at}].taskId`, `"${taskId}" is there already`);
    ids.add(taskId);
  }
  for (const [at, { downstreamTaskIds }] of read.entries()) {
    const foreign = downstreamTaskIds.find((id) => !ids.has(id));
    if (foreign === undefined) continue;
    throw badDag(`dag.tasks[${at}].downstreamTaskIds`, `there is no task "${foreign}" in the Dag`);
  }
  return read;
}

function readTask(dag: DagDescription, task: TaskDescription, path: string): ReadTask {
  const own = new FieldReader(task, path);
  const taskId = own.text("taskId", "");
  if (taskId === "") throw badDag(`${path}.taskId`, "is missing");
  const settings = new FieldReader({ ...dag.defaultArgs, ...definedOf(task) }, path);
  const operator = new FieldReader(own.raw("operator") ?? {}, `${path}.operator`);
  const limits = new FieldReader(dag, "dag");
  const className = operator.text("className", "BaseOperator");
  const isMapped = own.flag("isMapped");
  const weight = settings.whole("priorityWeight", 1);
  return {
    taskId,
    displayName: own.text("displayName", "") || taskId,
    owner: settings.text("owner", "airflow"),
    startDate: outermost(limits.instant("startDate"), settings.instant("startDate"), "latest"),
    endDate: outermost(limits.instant("endDate"), settings.instant("endDate"), "earliest"),
    triggerRule: settings.text("triggerRule", "all_success"),
    dependsOnPast: settings.flag("dependsOnPast"),
    waitForDownstream: settings.flag("waitForDownstream"),
    retries: settings.whole("retries", CORE_DEFAULTS.defaultTaskRetries),
    queue: settings.text("queue", "default"),
    pool: settings.text("pool", "default_pool"),
    poolSlots: settings.whole("poolSlots", 1, 1),
    executionTimeoutUs: settings.microseconds("executionTimeoutUs", null),
    retryDelayUs: settings.microseconds("retryDelayUs", DEFAULT_RETRY_DELAY_US),
    multiplier: shownMultiplier(settings.raw("retryExponentialBackoff"), isMapped, path),
    priorityWeight: isMapped ? weight : Math.max(INT32_MIN, Math.min(INT32_MAX, weight)),
    weightRule: settings.text("weightRule", "downstream"),
    uiColor: operator.text("uiColor", "#fff"),
    uiFgcolor: operator.text("uiFgcolor", "#000"),
    templateFields: operator.texts("templateFields"),
    downstreamTaskIds: sortByKey(own.texts("downstreamTaskIds"), (id) => id, "up"),
    docMd: settings.text("docMd", null),
    operatorName: operator.text("name", "") || className,
    params: readParams(dag.params, task.params, path),
    modulePath: operator.text("modulePath", task.operator === undefined ? SDK_MODULE : null),
    className,
    isMapped,
  };
}

/** An absent setting must not hide the one of `default_args`. */
function definedOf(task: TaskDescription): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(task).filter(([, value]) => value != null));
}

function outermost(
  a: Instant | null,
  b: Instant | null,
  which: "latest" | "earliest",
): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a.epochUs > b.epochUs === (which === "latest") ? a : b;
}
