import type { SqlRow } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { decodeException } from "../exceptions/decode-exception.ts";
import { decodeChildren } from "../results-tree/decode-nodes.ts";
import type { SqlText } from "../schema/sql-text.ts";
import type { TableFacts } from "../schema/tables.ts";
import { decodeStored } from "../serializers/decode-stored.ts";
import { SerializerError } from "../serializers/serializer-error.ts";
import { checkId } from "./check-id.ts";
import type { GetOptions } from "./options.ts";
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
import type { TaskMeta, UndecodedColumn } from "./task-meta.ts";

const PLAIN = ["task_id", "status", "result", "date_done", "traceback", "children"];
const EXTENDED = ["name", "args", "kwargs", "worker", "retries", "queue", "stamps"];
const TEXT = new Set(["task_id", "status", "traceback", "name", "worker", "queue"]);

/** See {@link ResultStore.get}. */
export async function readTask(
  context: StoreContext,
  taskId: string,
  { undecodable = "throw" }: GetOptions = {},
): Promise<TaskMeta> {
  const { database } = context;
  if (undecodable !== "throw" && undecodable !== "keep") {
    const message = `get: the option undecodable is ${String(undecodable)}; it takes "throw" or "keep".`;
    throw new ResultsError("bad-option", message, { facts: { field: "undecodable" } });
  }
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
  return taskMeta(context, taskId, row, undecodable === "keep" ? [] : null);
}

/** What could not be read, where that is to be kept; null where it is to be thrown. */
type Kept = UndecodedColumn[] | null;

function taskMeta(context: StoreContext, taskId: string, row: SqlRow, kept: Kept): TaskMeta {
  const state = columnText(row, "status");
  const result = read(context, taskId, row, "result", kept, state);
  const children = read(context, taskId, row, "children", kept, state) as TaskMeta["children"];
  const { dateDone, dateDoneText } = readDate(row, context.dates.read);
  const traceback = columnText(row, "traceback");
  const plain = { taskId, state, result, dateDone, dateDoneText, traceback, children };
  const meta = context.extended ? { ...plain, ...extendedMeta(context, taskId, row, kept) } : plain;
  return kept === null || kept.length === 0 ? meta : { ...meta, undecodable: kept };
}

/** What the bytes of a column stand for; null without any. @throws SerializerError */
function read(
  context: StoreContext,
  taskId: string,
  row: SqlRow,
  column: UndecodedColumn["column"],
  kept: Kept,
  state: string | null,
): unknown {
  const bytes = columnBytes(row, column);
  if (bytes === null) return null;
  try {
    return decode(context, column, bytes, state);
  } catch (cause) {
    if (!(cause instanceof SerializerError)) throw cause;
    const error = new SerializerError(
      cause.code,
      `get: the column ${column} of task ${JSON.stringify(taskId)}: ${cause.message}`,
      { cause, path: cause.path, globalName: cause.globalName },
    );
    if (kept === null) throw error;
    kept.push({ column, bytes, error });
    return null;
  }
}

function decode(
  { serializer, values }: StoreContext,
  column: UndecodedColumn["column"],
  bytes: Uint8Array,
  state: string | null,
): unknown {
  if (column === "children") return decodeChildren(serializer.decode(bytes));
  if (column !== "result") return serializer.decode(bytes);
  const value = decodeStored(bytes, serializer, values);
  return state !== null && EXCEPTION_STATES.has(state) ? decodeException(value) : value;
}

function extendedMeta(context: StoreContext, taskId: string, row: SqlRow, kept: Kept) {
  return {
    name: columnText(row, "name"),
    args: read(context, taskId, row, "args", kept, null),
    kwargs: read(context, taskId, row, "kwargs", kept, null),
    worker: columnText(row, "worker"),
    retries: columnNumber(row, "retries"),
    queue: columnText(row, "queue"),
    ...readStamps(context, row),
  };
}

/** Stamps that can't be read are no reason to lose the result; Celery passes over them as well. */
function readStamps(context: StoreContext, row: SqlRow) {
  try {
    const bytes = columnBytes(row, "stamps");
    const value = bytes === null ? null : context.serializer.decode(bytes);
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
  return context.extended ? { ...plain, ...extendedMeta(context, taskId, {}, null) } : plain;
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
  // Where there is no table, the database is to say so.
  if (!facts.exists) return "task_id";
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
