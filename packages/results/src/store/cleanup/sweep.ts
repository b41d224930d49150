import type { Database } from "../../database/database.ts";
import type { SqlConnection } from "../../drivers/driver.ts";
import type { DateRule } from "../date-rule.ts";
import { startMysqlSweep } from "./mysql-sweep.ts";
import { startPostgresqlSweep } from "./postgresql-sweep.ts";

/** Rows of one table with a `date_done` before a time. */
export interface ExpiredRows {
  readonly database: Database;
  readonly role: "task" | "group";
  readonly cutoff: string;
  readonly dates: DateRule;
  /** A batch must not have more rows than it is told; else the number is a measure of its time. */
  readonly isExact: boolean;
}

/** What a batch did. */
export interface DeletedBatch {
  readonly rows: number;
  /** Nothing is left that was old when it was looked for. */
  readonly isLast: boolean;
}

/**
 * Deletes some of the rows, in one transaction, and goes on with the next ones when it is called again;
 * a call that threw may be repeated.
 *
 * The age is asked in the DELETE itself: a row that was written anew meanwhile is no longer old.
 */
export type Sweep = (connection: SqlConnection, size: number) => Promise<DeletedBatch>;

/** Looks at how many rows there are and where, without locks, and chooses how to go through them. */
export async function startSweep(connection: SqlConnection, expired: ExpiredRows): Promise<Sweep> {
  const { dialect } = expired.database.sql;
  if (dialect === "mysql") return startMysqlSweep(connection, expired);
  if (dialect === "postgresql") return startPostgresqlSweep(connection, expired);
  return sqliteSweep(expired);
}

/** SQLite has one lock; nothing can come between. */
function sqliteSweep({ database, role, cutoff }: ExpiredRows): Sweep {
  const table = database.sql[role];
  return async (connection, size) => {
    const { affectedRows } = await connection.query(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE date_done < ? LIMIT ${size})`,
      [cutoff],
    );
    return { rows: affectedRows, isLast: affectedRows < size };
  };
}
