import type { SqlConnection, SqlRow, SqlValue } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import type { ListOptions } from "./options.ts";
import { columnNumber, columnText, dateColumn, instantColumn, readDate } from "./read-columns.ts";
import type { StoreContext } from "./store-context.ts";
import type { TaskSummary } from "./task-meta.ts";

const PAGE_ROWS = 500;

/** See {@link ResultStore.list}. Pages by id, so that each is as quick as the first. */
export async function* listTasks(
  context: StoreContext,
  options: ListOptions = {},
): AsyncGenerator<TaskSummary, void, undefined> {
  requireOptions(options);
  const { pageSize = PAGE_ROWS, signal } = options;
  let after: SqlValue = null;
  for (;;) {
    requireGoing(signal);
    const rows: readonly SqlRow[] = await context.database.run(
      "list",
      (connection) => selectPage(context, connection, options, after, pageSize),
      { signal },
    );
    for (const row of rows) {
      requireGoing(signal);
      if (isMeant(row, options)) yield summary(context, row);
    }
    const last: SqlValue = rows.at(-1)?.["id"] ?? null;
    if (rows.length < pageSize || last === null) return;
    after = last;
  }
}

function selectPage(
  { database, dates, clock }: StoreContext,
  connection: SqlConnection,
  { state, name, olderThanSeconds }: ListOptions,
  after: SqlValue,
  pageSize: number,
): Promise<readonly SqlRow[]> {
  const { sql } = database;
  const { columns } = database.facts.task;
  const values: SqlValue[] = [];
  const where: string[] = [];
  const condition = (column: string, operator: string, value: SqlValue, type = "") => {
    values.push(value);
    where.push(`${column} ${operator} ${sql.parameter(values.length)}${type}`);
  };
  if (after !== null) condition("id", ">", after);
  if (state !== undefined) condition("status", "=", state);
  if (name !== undefined) {
    if (columns.has("name")) condition("name", "=", name);
    else where.push("1 = 0");
  }
  if (olderThanSeconds !== undefined) {
    const type = dates.sessionZone ? "::timestamptz" : "::timestamp";
    const cutoff = dates.cutoff(clock.now(), olderThanSeconds);
    condition("date_done", "<", cutoff, sql.dialect === "postgresql" ? type : "");
  }
  const shown = ["task_id", "status", "name", "worker", "queue"].filter((c) => columns.has(c));
  const size = sql.dialect === "postgresql" ? "octet_length(result)" : "length(result)";
  const list = [
    "id",
    ...shown.map((column) => sql.text(column)),
    ...(columns.has("retries") ? ["retries"] : []),
    `${dateColumn(sql)}${instantColumn(dates)}`,
    `${size} AS result_bytes`,
  ];
  return connection
    .query(
      `SELECT ${list.join(", ")} FROM ${sql.task}${where.length > 0 ? ` WHERE ${where.join(" AND ")}` : ""} ` +
        `ORDER BY id LIMIT ${pageSize}`,
      values,
    )
    .then(({ rows }) => rows);
}

/** Again and exactly: MySQL's collations find `Success` for `SUCCESS`. */
function isMeant(row: SqlRow, { state, name }: ListOptions): boolean {
  if (state !== undefined && columnText(row, "status") !== state) return false;
  return name === undefined || columnText(row, "name") === name;
}

function summary(context: StoreContext, row: SqlRow): TaskSummary {
  return {
    taskId: columnText(row, "task_id") ?? "",
    state: columnText(row, "status"),
    ...readDate(row, context.dates.read),
    name: columnText(row, "name"),
    worker: columnText(row, "worker"),
    retries: columnNumber(row, "retries"),
    queue: columnText(row, "queue"),
    resultBytes: columnNumber(row, "result_bytes"),
  };
}

function requireOptions({ state, name, olderThanSeconds, pageSize }: ListOptions): void {
  if (state !== undefined && typeof state !== "string") throw refuse("state", "text");
  if (name !== undefined && typeof name !== "string") throw refuse("name", "text");
  if (olderThanSeconds !== undefined && !(olderThanSeconds >= 0)) {
    throw refuse("olderThanSeconds", "a number of seconds, 0 or more");
  }
  if (
    pageSize !== undefined &&
    !(Number.isInteger(pageSize) && pageSize > 0 && pageSize <= 10_000)
  ) {
    throw refuse("pageSize", "a whole number from 1 to 10,000");
  }
}

function refuse(field: string, expected: string): ResultsError {
  return new ResultsError("bad-option", `list: ${field} has to be ${expected}.`, {
    facts: { operation: "list", field },
  });
}

function requireGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ResultsError("aborted", "list: ended by its signal.", {
    cause: signal.reason,
    facts: { operation: "list" },
  });
}
