import { describe } from "../errors.ts";
import type { ParamDescription, TaskDescription } from "./dag-description.ts";
import { TaskResourceError } from "./task-resource-error.ts";
import { fromTimeDelta } from "./time-delta.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the answer of a real `GET …/tasks/{task_id}` back into the description of the task: what
 * `task` then answers for it is the same again.
 *
 * Needed is `task_id` alone: fields that are absent (older servers) are left out, fields that are
 * unknown (newer servers) are ignored. A boolean `retry_exponential_backoff`, as servers before
 * 3.2 send it, is kept: true means 2. Null means NaN or an infinity, and is read as NaN: which one
 * it was the server does not say. It says nothing of `max_retry_delay` either. What comes from the
 * Dag (dates, params) is taken for the task's own.
 *
 * @param body - the parsed JSON
 * @throws TaskResourceError `bad-resource`
 */
export function readTaskResource(body: unknown): TaskDescription {
  const task = fieldsOf(body, "task");
  if (typeof task["task_id"] !== "string" || task["task_id"] === "") {
    const hint = "detail" in task ? `; it is a refusal: ${describe(task["detail"])}` : "";
    const listed = Array.isArray(task["tasks"]) ? "; it is a list: take one of its tasks" : "";
    const message = `got ${describe(task["task_id"])}; expected the id of a task${hint}${listed}`;
    throw new TaskResourceError("bad-resource", "task_id", message);
  }
  const backoff = task["retry_exponential_backoff"];
  const classRef = task["class_ref"];
  return compact({
    taskId: task["task_id"],
    displayName: text(task, "task_display_name"),
    owner: text(task, "owner"),
    startDate: text(task, "start_date"),
    endDate: text(task, "end_date"),
    triggerRule: text(task, "trigger_rule"),
    dependsOnPast: flag(task, "depends_on_past"),
    waitForDownstream: flag(task, "wait_for_downstream"),
    retries: whole(task, "retries"),
    queue: text(task, "queue"),
    pool: text(task, "pool"),
    poolSlots: whole(task, "pool_slots"),
    executionTimeoutUs: duration(task, "execution_timeout"),
    retryDelayUs: duration(task, "retry_delay"),
    retryExponentialBackoff: backoff === null ? Number.NaN : multiplier(backoff),
    priorityWeight: whole(task, "priority_weight"),
    weightRule: text(task, "weight_rule"),
    docMd: text(task, "doc_md"),
    operator:
      classRef === undefined || classRef === null
        ? undefined
        : {
            className: text(fieldsOf(classRef, "class_ref"), "class_name") ?? "BaseOperator",
            modulePath: text(fieldsOf(classRef, "class_ref"), "module_path") ?? null,
            name: text(task, "operator_name"),
            uiColor: text(task, "ui_color"),
            uiFgcolor: text(task, "ui_fgcolor"),
            templateFields: texts(task, "template_fields"),
          },
    isMapped: flag(task, "is_mapped"),
    downstreamTaskIds: texts(task, "downstream_task_ids"),
    params: params(task["params"]),
  });
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw wrong(path, value, "an object");
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw wrong(name, value, "text or null");
}

function flag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  throw wrong(name, value, "true or false");
}

function whole(fields: Fields, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || (typeof value === "number" && Number.isInteger(value))) return value;
  throw wrong(name, value, "a whole number or null");
}

function texts(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw wrong(name, value, "a list of texts");
}

function duration(fields: Fields, name: string): bigint | undefined {
  const value = fields[name] ?? undefined;
  return value === undefined ? undefined : fromTimeDelta(value, name);
}

function multiplier(value: unknown): number | boolean | undefined {
  if (value === undefined || typeof value === "number" || typeof value === "boolean") return value;
  throw wrong("retry_exponential_backoff", value, "a number or null");
}

function params(value: unknown): Readonly<Record<string, ParamDescription>> | undefined {
  if (value === undefined || value === null) return undefined;
  const entries = Object.entries(fieldsOf(value, "params")).map(([name, param]) => {
    const { value: shown, schema, description } = fieldsOf(param, `params.${name}`);
    return [name, { value: shown, schema, description } as ParamDescription] as const;
  });
  return Object.fromEntries(entries);
}

function wrong(path: string, value: unknown, expected: string): TaskResourceError {
  return new TaskResourceError(
    "bad-resource",
    path,
    `got ${describe(value)}; expected ${expected}`,
  );
}

function compact<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
