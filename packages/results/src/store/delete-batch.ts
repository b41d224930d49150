import type { SqlConnection } from "../drivers/driver.ts";
import type { SqlText } from "../schema/sql-text.ts";
import type { DateRule } from "./date-rule.ts";
import { isMysql } from "./write-statements.ts";

/** Rows of one table with a `date_done` before a time. */
export interface ExpiredRows {
  readonly sql: SqlText;
  readonly table: string;
  readonly cutoff: string;
  readonly dates: DateRule;
}

/**
 * Deletes at most `size` expired rows in one transaction. @returns how many; 0 when none is left
 *
 * The age is asked again where rows are deleted by their place: one that was written anew since it was
 * found is no longer old.
 */
export function deleteBatch(
  connection: SqlConnection,
  expired: ExpiredRows,
  size: number,
): Promise<number> {
  if (isMysql(expired.sql)) return deleteByIds(connection, expired, size);
  return expired.sql.dialect === "postgresql"
    ? deleteByPlace(connection, expired, size)
    : deleteAtOnce(connection, expired, size);
}

/** SQLite has one lock; nothing can come between. */
async function deleteAtOnce(
  connection: SqlConnection,
  { table, cutoff }: ExpiredRows,
  size: number,
): Promise<number> {
  const { affectedRows } = await connection.query(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size})`,
    [cutoff],
  );
  return affectedRows;
}

/** By physical place, which needs no second index. A row that moved meanwhile is left for the next batch. */
async function deleteByPlace(
  connection: SqlConnection,
  { table, cutoff, dates }: ExpiredRows,
  size: number,
): Promise<number> {
  const old = `date_done < $1::${dates.sessionZone ? "timestamptz" : "timestamp"}`;
  const found = `SELECT ctid FROM ${table} WHERE ${old} LIMIT ${size}`;
  for (;;) {
    const { rows } = await connection.query(
      `WITH found AS MATERIALIZED (${found}), gone AS (DELETE FROM ${table} ` +
        `WHERE ctid = ANY (ARRAY(SELECT ctid FROM found)) AND ${old} RETURNING 1) ` +
        "SELECT (SELECT count(*) FROM found) AS found, (SELECT count(*) FROM gone) AS gone",
      [cutoff],
    );
    const gone = Number(rows[0]?.["gone"] ?? 0);
    // All that were found may have been changed by others: then there may be more.
    if (gone > 0 || Number(rows[0]?.["found"] ?? 0) === 0) return gone;
  }
}

/**
 * InnoDB locks what a DELETE by date passes over, the gap behind the last old row included, where new
 * rows go. So the ids are read without locks, and the rows deleted one by one through the primary key;
 * the function around `date_done` keeps the optimizer from its index.
 */
async function deleteByIds(
  connection: SqlConnection,
  { table, cutoff }: ExpiredRows,
  size: number,
): Promise<number> {
  for (;;) {
    const { rows } = await connection.query(
      `SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size}`,
      [cutoff],
    );
    const ids = rows.map((row) => BigInt(row["id"] as number | bigint | string));
    if (ids.length === 0) return 0;
    // No more than this many in one statement: it is new text, and so prepared, each time.
    const { affectedRows } = await connection.query(
      `DELETE FROM ${table} WHERE id IN (${ids.join(", ")}) AND date_done + INTERVAL 0 SECOND < ?`,
      [cutoff],
    );
    if (affectedRows > 0) return affectedRows;
  }
}
