import { type Kysely, sql } from "kysely";
import type { SqlResult, SqlRow, SqlValue } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import type { ResultTables } from "../schema/tables.ts";
import type { ListOptions } from "./options.ts";
import { runQuery, textOf } from "./query-builder.ts";
import { columnNumber, columnText, INSTANT, readDate } from "./read-columns.ts";
import type { StoreContext } from "./store-context.ts";
import type { TaskSummary } from "./task-meta.ts";

const PAGE_ROWS = 500;
const TEXTS = ["task_id", "status", "date_done", "name", "worker", "queue"] as const;

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
    const from = after;
    const { rows }: SqlResult = await runQuery(
      context.database,
      "list",
      (db) => selectPage(db, context, options, from),
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
  db: Kysely<ResultTables>,
  { database, dates, clock }: StoreContext,
  { state, name, olderThanSeconds, pageSize = PAGE_ROWS }: ListOptions,
  after: SqlValue,
) {
  const { dialect } = database.sql;
  const { columns } = database.facts.task;
  const texts = TEXTS.filter((column) => columns.has(column));
  let query = db
    .selectFrom("task")
    .select(["id", ...(columns.has("retries") ? (["retries"] as const) : [])])
    .select(texts.map((column) => textOf(dialect, column)))
    .select((eb) =>
      eb.fn<number>(dialect === "postgresql" ? "octet_length" : "length", ["result"]).as("size"),
    )
    .orderBy("id")
    .limit(sql.lit(pageSize));
  if (dates.sessionZone) query = query.select(sql.raw(INSTANT).as("date_done_utc"));
  if (after !== null) query = query.where("id", ">", after as number);
  if (state !== undefined) query = query.where("status", "=", state);
  if (name !== undefined) {
    query = columns.has("name") ? query.where("name", "=", name) : query.where(sql.lit(false));
  }
  if (olderThanSeconds !== undefined) {
    const cutoff = dates.cutoff(clock.now(), olderThanSeconds);
    const time = dates.sessionZone ? sql<string>`${cutoff}::timestamptz` : cutoff;
    query = query.where("date_done", "<", time);
  }
  return query;
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
    resultBytes: columnNumber(row, "size"),
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
