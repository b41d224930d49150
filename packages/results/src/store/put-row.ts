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

/** What stands in the way of a write: nothing any more, a row that may be written, or what ends it. */
export type InTheWay<T> = "absent" | "again" | T;

/**
 * Writes a row, new or not, with as few round trips as it takes: one on PostgreSQL, one or two
 * elsewhere, each a transaction of its own. Nothing is locked between them, so nothing can deadlock;
 * what another writer did in between shows as "nothing written", and then the row decides.
 *
 * @param look reads the row that stands in the way
 * @param insertFirst whether the row is likely new. A wrong guess costs a round trip
 */
export async function putRow<T>(
  connection: SqlConnection,
  put: PutStatements,
  values: PutValues,
  insertFirst: boolean,
  look: () => Promise<InTheWay<T>>,
): Promise<T | "written"> {
  const attempt = attemptFor(put, insertFirst, look);
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (await attempt(connection, put, values)) return "written";
    const standing = await look();
    if (standing !== "absent" && standing !== "again") return standing;
  }
  throw new ResultsError(
    "store-failed",
    `The row was added and removed by others ${MOST_TURNS} times while it was to be written.`,
    { facts: { operation: "store", id: values.key, attempts: MOST_TURNS } },
  );
}

type Attempt = (
  connection: SqlConnection,
  put: PutStatements,
  values: PutValues,
) => Promise<boolean>;

function attemptFor(
  { both, target }: PutStatements,
  insertFirst: boolean,
  look: () => Promise<unknown>,
): Attempt {
  if (both !== null) return putBoth;
  const canUpdate = target.mode === "put";
  if (target.facts.lacksUniqueKey === true) {
    // Nothing but a look before keeps a second row out of such a table.
    return async (...write) =>
      (canUpdate && (await updateRow(...write))) ||
      ((await look()) === "absent" && insertRow(...write));
  }
  if (!canUpdate) return insertRow;
  return insertFirst
    ? async (...write) => (await insertRow(...write)) || updateRow(...write)
    : async (...write) => (await updateRow(...write)) || insertRow(...write);
}

const putBoth: Attempt = async (connection, put, { key, columns, date }) => {
  const { rows } = await connection.query(put.both ?? "", [key, date, ...columns]);
  return rows.length > 0;
};

const updateRow: Attempt = async (connection, put, { key, columns, date }) => {
  const values = [...columns, date, key];
  if (isMysql(put.target.sql)) values.push(key);
  return (await connection.query(put.update, values)).affectedRows > 0;
};

const insertRow: Attempt = async (connection, put, { key, columns, date }) => {
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
};
