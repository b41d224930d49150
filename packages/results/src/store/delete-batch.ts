import type { Database } from "../database/database.ts";
import type { SqlConnection } from "../drivers/driver.ts";
import type { DateRule } from "./date-rule.ts";
import { isMysql } from "./write-statements.ts";

/** Rows of one table with a `date_done` before a time. */
export interface ExpiredRows {
  readonly database: Database;
  readonly role: "task" | "group";
  readonly cutoff: string;
  readonly dates: DateRule;
  /** Whether this is one of many batches. */
  readonly isLong: boolean;
}

/** What a batch did. */
export interface DeletedBatch {
  readonly rows: number;
  /** Nothing is left that was old when it was looked for. */
  readonly isLast: boolean;
}

/**
 * Deletes at most `size` expired rows in one transaction.
 *
 * The age is asked again where rows are deleted by their place: one that was written anew since it was
 * found is no longer old.
 */
export function deleteBatch(
  connection: SqlConnection,
  expired: ExpiredRows,
  size: number,
): Promise<DeletedBatch> {
  const { sql } = expired.database;
  if (isMysql(sql)) return deleteByIds(connection, expired, size);
  return sql.dialect === "postgresql"
    ? deleteByPlace(connection, expired, size)
    : deleteAtOnce(connection, expired, size);
}

/** SQLite has one lock; nothing can come between. */
async function deleteAtOnce(
  connection: SqlConnection,
  { database, role, cutoff }: ExpiredRows,
  size: number,
): Promise<DeletedBatch> {
  const table = database.sql[role];
  const { affectedRows } = await connection.query(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size})`,
    [cutoff],
  );
  return { rows: affectedRows, isLast: affectedRows < size };
}

/**
 * By physical place, which needs no other index and no sorting. In the order of the index only in a long
 * cleanup: that takes a little longer a row, but does not read the dead rows of all batches before.
 */
async function deleteByPlace(
  connection: SqlConnection,
  { database, role, cutoff, dates, isLong }: ExpiredRows,
  size: number,
): Promise<DeletedBatch> {
  const table = database.sql[role];
  const old = `date_done < $1::${dates.sessionZone ? "timestamptz" : "timestamp"}`;
  const order = isLong && database.facts[role].hasDateDoneIndex ? "ORDER BY date_done " : "";
  const { affectedRows } = await connection.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${old} ` +
      `${order}LIMIT ${size})) AND ${old}`,
    [cutoff],
  );
  if (affectedRows === size) return { rows: affectedRows, isLast: false };
  // Others may have changed some that were found: then there may be more.
  const { rows } = await connection.query(`SELECT 1 FROM ${table} WHERE ${old} LIMIT 1`, [cutoff]);
  return { rows: affectedRows, isLast: rows.length === 0 };
}

/**
 * InnoDB locks what a DELETE by date passes over, the gap behind the last old row included, where new
 * rows go. So the ids are read without locks, and the rows deleted one by one through the primary key;
 * the sum keeps the optimizer from the index of `date_done`.
 */
async function deleteByIds(
  connection: SqlConnection,
  { database, role, cutoff }: ExpiredRows,
  size: number,
): Promise<DeletedBatch> {
  const table = database.sql[role];
  const { rows } = await connection.query(
    `SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size}`,
    [cutoff],
  );
  if (rows.length === 0) return { rows: 0, isLast: true };
  const ids = rows.map((row) => BigInt(row["id"] as number | bigint | string));
  const { affectedRows } = await connection.query(
    `DELETE FROM ${table} WHERE id IN (${ids.join(", ")}) AND date_done + INTERVAL 0 SECOND < ?`,
    [cutoff],
  );
  return { rows: affectedRows, isLast: ids.length < size };
}
