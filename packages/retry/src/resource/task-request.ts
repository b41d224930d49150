import type { DagDescription } from "./dag-description.ts";
import {
  type Answer,
  checkArgument,
  dagNotFound,
  methodNotAllowed,
  task,
  taskCollection,
} from "./task-answers.ts";
import type { ErrorBody, TaskCollection, TaskResource } from "./task-resource.ts";

/** Whatever the two routes answer. */
export type TaskAnswer =
  | Answer<200, TaskCollection>
  | Answer<200, TaskResource>
  | Answer<400, ErrorBody>
  | Answer<404, ErrorBody>
  | Answer<405, ErrorBody>;

/** A request as an HTTP server has it. */
export interface TaskRequest {
  readonly method: string;
  /** The request target: path and query, e.g. `/api/v2/dags/etl/tasks?order_by=-retries`. */
  readonly target: string;
}

const ROUTE = /^\/api\/v2\/dags\/([^/]+)\/tasks(?:\/([^/]+))?$/;

/**
 * Answers a request for one of the two routes of tasks, as Airflow 3.3.2 does. Authentication is
 * left to who serves it; Airflow answers 401 `{"detail":"Not authenticated"}` without a token and
 * 403 `{"detail":"Invalid JWT token"}` for a bad one.
 *
 * @param findDag - the Dag of this id, undefined for none
 * @returns undefined when the path is none of these two routes
 * @throws TaskResourceError `bad-dag`; `bad-options` for arguments of other types
 */
export function answerTaskRequest(
  request: TaskRequest,
  findDag: (dagId: string) => DagDescription | undefined,
): TaskAnswer | undefined {
  checkArgument(request, "object", "request");
  checkArgument(request.method, "string", "request.method");
  checkArgument(request.target, "string", "request.target");
  checkArgument(findDag, "function", "findDag");
  const [path = "", ...query] = request.target.split("?");
  // Decoded before it is matched, so an encoded slash separates: Airflow's router does so too.
  const [, dagId, taskId] = ROUTE.exec(decodePercent(path)) ?? [];
  if (dagId === undefined) return undefined;
  if (request.method !== "GET") return methodNotAllowed();
  const dag = findDag(dagId);
  if (dag === undefined) return dagNotFound(dagId);
  if (taskId !== undefined) return task(dag, taskId);
  return taskCollection(dag, { orderBy: new URLSearchParams(query.join("?")).getAll("order_by") });
}

/** Bytes that are no UTF-8 become U+FFFD, where decodeURIComponent throws. */
function decodePercent(text: string): string {
  const escaped = text.replace(/[+&=]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return new URLSearchParams(`path=${escaped}`).get("path") ?? "";
}
