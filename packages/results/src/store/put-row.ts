import type { SqlConnection, SqlValue } from "../drivers/driver.ts";
import { ResultsError } from "../errors.ts";
import { DatabaseFault } from "../retry/database-fault.ts";
import { insert, isMysql, postgresPut, update, type WriteTarget } from "./write-statements.ts";

/** What is to stand in the row. */
export interface PutValues {
  readonly key: string;
  readonly columns: readonly SqlValue[];
  /** Text of the time that `date_done` gets, by the rule of the target. */
  readonly date: string;
}

/** A write that starts the next one anew; each is lost to another writer that did something. */
const MOST_TURNS = 100;

/** The texts of one target. */
export interface PutStatements {
  readonly target: WriteTarget;
  /** PostgreSQL's, which does both. */
  readonly both: string | null;
  readonly update: string;
  readonly insert: string;
}

export function putStatements(target: WriteTarget): PutStatements {
  const both = target.sql.dialect === "postgresql" ? postgresPut(target) : null;
  return both === null
    ? { target, both, update: update(target), insert: insert(target) }
    : { target, both, update: "", insert: "" };
}

/**
 * Writes a row, new or not, with as few round trips as it takes: one on PostgreSQL, one or two
 * elsewhere, each a transaction of its own. Nothing is locked between them, so nothing can deadlock;
 * what another writer did in between shows as "nothing written", and then the row decides.
 *
 * @param look reads the row that stands in the way; `undefined` where there is none. What it returns
 *   other than "again" is the outcome
 * @param insertFirst whether the row is likely new. A wrong guess costs a round trip
 */
export async function putRow<T>(
  connection: SqlConnection,
  put: PutStatements,
  values: PutValues,
  insertFirst: boolean,
  look: () => Promise<T | "again">,
): Promise<T | "written"> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (await writeOnce(connection, put, values, insertFirst)) return "written";
    const outcome = await look();
    if (outcome !== "again") return outcome;
  }
  throw new ResultsError(
    "store-failed",
    `The row was added and removed by others ${MOST_TURNS} times while it was to be written.`,
    { facts: { operation: "store", id: values.key, attempts: MOST_TURNS } },
  );
}

async function writeOnce(
  connection: SqlConnection,
  put: PutStatements,
  values: PutValues,
  insertFirst: boolean,
): Promise<boolean> {
  const { key, columns, date } = values;
  if (put.both !== null) {
    return (await connection.query(put.both, [key, date, ...columns])).rows.length > 0;
  }
  if (insertFirst && (await insertRow(connection, put, values))) return true;
  if (put.target.mode === "add") return false;
  const mysql = isMysql(put.target.sql);
  const changed = await connection.query(
    put.update,
    mysql ? [...columns, date, key, key] : [...columns, date, key],
  );
  if (changed.affectedRows > 0) return true;
  return !insertFirst && insertRow(connection, put, values);
}

async function insertRow(
  connection: SqlConnection,
  put: PutStatements,
  { key, columns, date }: PutValues,
): Promise<boolean> {
  const values: SqlValue[] = [key, ...columns];
  if (put.target.date === "time") values.push(date);
  if (!isMysql(put.target.sql)) values.push(key);
  try {
    return (await connection.query(put.insert, values)).affectedRows > 0;
  } catch (error) {
    // The key is taken, or the id: look. A statement that failed outside a transaction left nothing behind.
    if (error instanceof DatabaseFault && error.kind === "unique") return false;
    throw error;
  }
}
