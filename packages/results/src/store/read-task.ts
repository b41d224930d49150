import type { SqlRow } from "../drivers/driver.ts";
import { decodeException } from "../exceptions/decode-exception.ts";
import { decodeChildren } from "../results-tree/decode-nodes.ts";
import type { SqlText } from "../schema/sql-text.ts";
import type { TableFacts } from "../schema/tables.ts";
import { decodeStored } from "../serializers/decode-stored.ts";
import { checkId } from "./check-id.ts";
import {
  columnBytes,
  columnNumber,
  columnText,
  dateColumn,
  INSTANT,
  readDate,
  statusColumn,
} from "./read-columns.ts";
import { EXCEPTION_STATES } from "./states.ts";
import type { StoreContext } from "./store-context.ts";
import type { TaskMeta } from "./task-meta.ts";

const PLAIN = ["task_id", "status", "result", "date_done", "traceback", "children"];
const EXTENDED = ["name", "args", "kwargs", "worker", "retries", "queue", "stamps"];
const TEXT = new Set(["task_id", "status", "traceback", "name", "worker", "queue"]);

/** See {@link ResultStore.get}. */
export async function readTask(context: StoreContext, taskId: string): Promise<TaskMeta> {
  const { database } = context;
  checkId("get", "task", taskId, database.dialect);
  const { rows } = await database.run(
    "get",
    (connection) => connection.query(selectTask(context, database.facts.task), [taskId]),
    { id: taskId },
  );
  const [row] = rows;
  // A collation that takes "a" and "A" for the same finds another task's row: that is not ours.
  if (row === undefined || (columnText(row, "task_id") ?? taskId) !== taskId) {
    return pending(context, taskId);
  }
  return taskMeta(context, taskId, row);
}

function taskMeta(context: StoreContext, taskId: string, row: SqlRow): TaskMeta {
  const state = columnText(row, "status");
  const bytes = columnBytes(row, "result");
  const value = bytes === null ? null : decodeStored(bytes, context.serializer, context.values);
  const result = state !== null && EXCEPTION_STATES.has(state) ? decodeException(value) : value;
  const children = decodeChildren(decode(context, row, "children"));
  const { dateDone, dateDoneText } = readDate(row, context.dates.read);
  const traceback = columnText(row, "traceback");
  const plain = { taskId, state, result, dateDone, dateDoneText, traceback, children };
  return context.extended ? { ...plain, ...extendedMeta(context, row) } : plain;
}

function extendedMeta(context: StoreContext, row: SqlRow) {
  return {
    name: columnText(row, "name"),
    args: decode(context, row, "args"),
    kwargs: decode(context, row, "kwargs"),
    worker: columnText(row, "worker"),
    retries: columnNumber(row, "retries"),
    queue: columnText(row, "queue"),
    ...readStamps(context, row),
  };
}

/** Stamps that can't be read are no reason to lose the result; Celery passes over them as well. */
function readStamps(context: StoreContext, row: SqlRow) {
  try {
    const value = decode(context, row, "stamps");
    if (isObject(value)) {
      const headers = value["stamped_headers"];
      const stamps = value["stamps"];
      return {
        stamps: isObject(stamps) ? stamps : null,
        stampedHeaders: Array.isArray(headers) ? headers.map(String) : null,
      };
    }
  } catch {
    // as without
  }
  return { stamps: null, stampedHeaders: null };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decode(context: StoreContext, row: SqlRow, column: string): unknown {
  const bytes = columnBytes(row, column);
  return bytes === null ? null : context.serializer.decode(bytes);
}

function pending(context: StoreContext, taskId: string): TaskMeta {
  const plain = {
    taskId,
    state: "PENDING",
    result: null,
    dateDone: null,
    dateDoneText: null,
    traceback: null,
    children: null,
  };
  return context.extended ? { ...plain, ...extendedMeta(context, {}) } : plain;
}

const SELECTS = new WeakMap<TableFacts, string[]>();

function selectTask({ database, dates, extended }: StoreContext, facts: TableFacts): string {
  const kind = (extended ? 1 : 0) + (dates.sessionZone ? 2 : 0);
  let known = SELECTS.get(facts);
  if (known === undefined) {
    known = [];
    SELECTS.set(facts, known);
  }
  known[kind] ??=
    `SELECT ${columnList(database.sql, facts, extended)}${dates.sessionZone ? `, ${INSTANT} AS date_done_utc` : ""} ` +
    `FROM ${database.sql.task} WHERE task_id = ${database.sql.parameter(1)} LIMIT 1`;
  return known[kind];
}

function columnList(sql: SqlText, facts: TableFacts, extended: boolean): string {
  return [...PLAIN, ...(extended ? EXTENDED : [])]
    .filter((column) => facts.columns.has(column))
    .map((column) => selected(sql, column))
    .filter((column) => column !== "")
    .join(", ");
}

function selected(sql: SqlText, column: string): string {
  // SQLite compares ids exactly, so there is nothing to look at again.
  if (column === "task_id" && sql.dialect === "sqlite") return "";
  if (column === "date_done") return dateColumn(sql);
  if (column === "status") return statusColumn(sql);
  return TEXT.has(column) ? sql.text(column) : sql.quote(column);
}
