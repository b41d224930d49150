import { describe } from "../errors.ts";
import type { DagDescription } from "./dag-description.ts";
import { sortByKey } from "./order.ts";
import { type OrderField, readOrderBy } from "./order-by.ts";
import { readTasks } from "./read-task.ts";
import type { ErrorBody, TaskCollection, TaskResource } from "./task-resource.ts";
import { TaskResourceError } from "./task-resource-error.ts";
import { toResource } from "./to-resource.ts";

/** What an HTTP server sends back. Its text is `taskJson(body)`, `application/json`. */
export interface Answer<Status extends number, Body> {
  readonly status: Status;
  /** Only what is not the same for every answer: `Allow` of a 405. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Options of {@link taskCollection}. */
export interface TaskCollectionOptions {
  /**
   * `order_by` of the query: a field of `ORDER_FIELDS`, with `-` in front for downwards. Nulls come
   * last upwards and first downwards; ties keep the order of definition in both. Of several the
   * last counts, as in a query. Default `task_id`.
   */
  readonly orderBy?: OrderField | `-${OrderField}` | (string & {}) | readonly string[] | undefined;
}

/**
 * What `GET /api/v2/dags/{dag_id}/tasks` of Airflow 3.3.2 answers for this Dag.
 *
 * 400 for an `order_by` that is no field. Two cases in which Airflow answers 500 are a 200 here:
 * ordering by `weight_rule` goes by its name, and the multiplier of a mapped task that is text but
 * no number is null.
 *
 * @throws TaskResourceError `bad-dag`, `bad-options`
 */
export function taskCollection(
  dag: DagDescription,
  options: TaskCollectionOptions = {},
): Answer<200, TaskCollection> | Answer<400, ErrorBody> {
  checkArgument(options, "object", "options");
  const tasks = readTasks(dag);
  const order = readOrderBy(lastOf(options.orderBy));
  if ("unknown" in order) {
    const what = `Ordering with '${order.unknown}' is disallowed`;
    return refuse(400, `${what} or the attribute does not exist on the model`);
  }
  const sorted = sortByKey(tasks, order.keyOf, order.direction).map(toResource);
  return { status: 200, headers: {}, body: { tasks: sorted, total_entries: sorted.length } };
}

/**
 * What `GET /api/v2/dags/{dag_id}/tasks/{task_id}` of Airflow 3.3.2 answers for this Dag.
 *
 * @throws TaskResourceError `bad-dag`; `bad-options` for a `taskId` that is no text
 */
export function task(
  dag: DagDescription,
  taskId: string,
): Answer<200, TaskResource> | Answer<404, ErrorBody> {
  checkArgument(taskId, "string", "taskId");
  const found = readTasks(dag).find((each) => each.taskId === taskId);
  if (found === undefined) return refuse(404, `Task with id ${taskId} was not found`);
  return { status: 200, headers: {}, body: toResource(found) };
}

/**
 * What both routes answer for a Dag that is not there.
 *
 * @throws TaskResourceError `bad-options` for an id that is no text
 */
export function dagNotFound(dagId: string): Answer<404, ErrorBody> {
  checkArgument(dagId, "string", "dagId");
  return refuse(404, `The Dag with ID: \`${dagId}\` was not found`);
}

/** What both routes answer for any method but GET: tasks can't be written through the API. */
export function methodNotAllowed(): Answer<405, ErrorBody> {
  return refuse(405, "Method Not Allowed", { allow: "GET" });
}

function refuse<Status extends number>(
  status: Status,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Answer<Status, ErrorBody> {
  return { status, headers, body: { detail } };
}

/** What plain JavaScript gives beside the Dag. */
export function checkArgument(
  value: unknown,
  type: "object" | "string" | "function",
  path: string,
): void {
  if (typeof value === type && value !== null) return;
  const expected = { object: "an object", string: "text", function: "a function" }[type];
  throw new TaskResourceError("bad-options", path, `got ${describe(value)}; expected ${expected}`);
}

function lastOf(orderBy: unknown): string {
  const last: unknown = Array.isArray(orderBy) ? orderBy.at(-1) : orderBy;
  if (last === undefined) return "task_id";
  if (typeof last === "string") return last;
  const message = `got ${describe(last)}; expected the text of order_by`;
  throw new TaskResourceError("bad-options", "options.orderBy", message);
}
