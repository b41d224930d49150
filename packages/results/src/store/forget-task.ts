import { checkId } from "./check-id.ts";
import { columnText } from "./read-columns.ts";
import type { StoreContext } from "./store-context.ts";
import { exactly, isMysql } from "./write-statements.ts";

/** See {@link ResultStore.exists}. */
export async function taskExists({ database }: StoreContext, taskId: string): Promise<boolean> {
  checkId("exists", "task", taskId, database.dialect);
  const { sql } = database;
  const select = `SELECT ${sql.text("task_id")} FROM ${sql.task} WHERE task_id = ${sql.parameter(1)} LIMIT 1`;
  const { rows } = await database.run(
    "exists",
    (connection) => connection.query(select, [taskId]),
    {
      id: taskId,
    },
  );
  return rows.some((row) => columnText(row, "task_id") === taskId);
}

/** See {@link ResultStore.forget}. */
export async function forgetTask(context: StoreContext, taskId: string): Promise<boolean> {
  checkId("forget", "task", taskId, context.database.dialect);
  return deleteRow(context, "forget", context.database.sql.task, "task_id", taskId);
}

/** Deletes the row of exactly this key. @returns whether there was one */
export async function deleteRow(
  { database }: StoreContext,
  operation: string,
  table: string,
  key: "task_id" | "taskset_id",
  id: string,
): Promise<boolean> {
  const { sql } = database;
  const where = `${key} = ${sql.parameter(1)}`;
  const statement = isMysql(sql)
    ? `DELETE FROM ${table} WHERE ${where} AND ${exactly(key)}`
    : `DELETE FROM ${table} WHERE ${where}`;
  const values = isMysql(sql) ? [id, id] : [id];
  const { affectedRows } = await database.run(
    operation,
    (connection) => connection.query(statement, values),
    { id },
  );
  return affectedRows > 0;
}
