import type { SqlConnection } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import type { TableFacts } from "../schema/tables.ts";
import { checkId } from "./check-id.ts";
import { fitRow } from "./fit-row.ts";
import { type InTheWay, type PutStatements, putRow, putStatements } from "./put-row.ts";
import { columnBytes, columnText, dateColumn } from "./read-columns.ts";
import { FINAL_STATE, READY_STATES } from "./states.ts";
import type { StoreContext } from "./store-context.ts";
import type { StoreInput, StoreOutcome } from "./store-input.ts";
import { type TaskRow, taskRow } from "./task-row.ts";

/** The states that a task's first row has; another state likely finds a row. Which it is decides only how many round trips it takes. */
const FIRST_STATES: ReadonlySet<string> = new Set(["PENDING", "RECEIVED", "STARTED"]);

const WRITTEN = "written";

/** See {@link ResultStore.store}. */
export async function writeTask(
  context: StoreContext,
  taskId: string,
  input: StoreInput,
): Promise<StoreOutcome> {
  const { database, dates, clock } = context;
  checkId("store", "task", taskId, database.dialect);
  const row = taskRow(context, input);
  const { state } = input;
  const isReady = READY_STATES.has(state);
  const now = clock.now();
  const date = isReady ? dates.done(now) : dates.filled(now);
  const hasStamps = row.at(-1)?.[0] === "stamps";
  let attempts = 0;
  const outcome = await database.run(
    "store",
    async (connection) => {
      attempts++;
      const facts = database.facts.task;
      const fitted = fitRow(facts, taskId, row);
      const put = statementsFor(context, facts, fitted, isReady, hasStamps);
      const columns = fitted.map(([, value]) => value);
      return putRow(connection, put, { key: taskId, columns, date }, FIRST_STATES.has(state), () =>
        lookInTheWay(context, connection, taskId, { row, date, attempts }),
      );
    },
    { id: taskId },
  );
  return outcome === WRITTEN ? { written: true, state } : { written: false, state: FINAL_STATE };
}

/** Which row kept a store from writing. */
async function lookInTheWay(
  context: StoreContext,
  connection: SqlConnection,
  taskId: string,
  ours: { readonly row: TaskRow; readonly date: string; readonly attempts: number },
): Promise<InTheWay<"final" | typeof WRITTEN>> {
  const { sql } = context.database;
  const { rows } = await connection.query(
    `SELECT ${sql.text("task_id")}, ${sql.text("status")}, result, ${dateColumn(sql)} ` +
      `FROM ${sql.task} WHERE task_id = ${sql.parameter(1)} LIMIT 1`,
    [taskId],
  );
  const [row] = rows;
  if (row === undefined) return "absent";
  if (columnText(row, "task_id") !== taskId) {
    throw new ResultsError(
      "store-failed",
      `store: another task's row stands in the way: the database takes ${JSON.stringify(taskId)} and ` +
        `${JSON.stringify(columnText(row, "task_id"))} for the same id. Use ids that differ in more than case, ` +
        "accents or spaces at the end, or give the column a binary collation.",
      { facts: { operation: "store", id: taskId, field: "task_id" } },
    );
  }
  if (columnText(row, "status") !== FINAL_STATE) return "again";
  // The answer to an earlier attempt may have been lost on its way: then this is our own row.
  const result = ours.row.find(([column]) => column === "result")?.[1];
  const status = ours.row.find(([column]) => column === "status")?.[1];
  const isOurs =
    ours.attempts > 1 &&
    status === FINAL_STATE &&
    result instanceof Uint8Array &&
    Buffer.compare(columnBytes(row, "result") ?? new Uint8Array(), result) === 0 &&
    columnText(row, "date_done")?.slice(0, 19) === ours.date.slice(0, 19);
  return isOurs ? WRITTEN : "final";
}

/** By facts, which are replaced as a whole when the table turns out to be different. */
const STATEMENTS = new WeakMap<TableFacts, Map<string, PutStatements>>();

function statementsFor(
  context: StoreContext,
  facts: TableFacts,
  row: TaskRow,
  isReady: boolean,
  hasStamps: boolean,
): PutStatements {
  let known = STATEMENTS.get(facts);
  if (known === undefined) {
    known = new Map();
    STATEMENTS.set(facts, known);
  }
  const kind = `${isReady} ${hasStamps} ${context.extended} ${context.dates.sessionZone}`;
  let put = known.get(kind);
  if (put === undefined) {
    put = putStatements({
      sql: context.database.sql,
      facts,
      table: context.database.sql.task,
      key: "task_id",
      columns: row.map(([column]) => column),
      date: isReady ? "time" : "filled",
      mode: "put",
      final: FINAL_STATE,
      sessionZone: context.dates.sessionZone,
    });
    known.set(kind, put);
  }
  return put;
}
