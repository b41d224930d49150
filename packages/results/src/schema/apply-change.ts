import type { SqlConnection } from "../drivers/driver.ts";
import { DatabaseFault } from "../retry/database-fault.ts";
import type { DdlDialect } from "./ddl.ts";
import type { SchemaChange } from "./plan-changes.ts";

/** How long a change of an existing table waits for others to let go; they queue behind it. */
const LOCK_TIMEOUT_SECONDS = 5;

/** Any number: whoever makes tables, columns or indexes of a results database holds this lock. */
const ADVISORY_LOCK = 0x70_61_72_6c;

/**
 * Makes one change.
 *
 * A table comes with its sequence and index in one transaction where the dialect has such. What is
 * there already, made by somebody else a moment ago, is no failure. An index is built without
 * keeping writers out (PostgreSQL: `CONCURRENTLY`; MySQL, MariaDB: `LOCK=NONE`; SQLite can't).
 *
 * @param table the table's name for a statement, quoted and with its schema
 * @throws DatabaseFault
 */
export async function applyChange(
  connection: SqlConnection,
  dialect: DdlDialect,
  planned: SchemaChange,
  table: string,
): Promise<void> {
  const change =
    planned.kind === "sequence" ? await afterLastId(connection, planned, table) : planned;
  try {
    if (dialect === "postgresql") await applyToPostgresql(connection, change);
    else if (dialect === "sqlite") await inTransaction(connection, change.statements);
    else await applyToMysql(connection, change);
  } catch (error) {
    if (change.kind === "table" || !isThereAlready(error)) throw error;
  }
}

/** A sequence that is made for an older table goes on after the ids that are taken. */
async function afterLastId(
  connection: SqlConnection,
  change: SchemaChange,
  table: string,
): Promise<SchemaChange> {
  const last = await connection.query(`SELECT COALESCE(MAX(id), 0) AS id FROM ${table}`);
  const start = BigInt(String(last.rows[0]?.["id"] ?? 0)) + 1n;
  return {
    ...change,
    statements: change.statements.map((statement) => `${statement} START WITH ${start}`),
  };
}

/** The errors for a table, column, index or sequence that exists, in each dialect's words. */
function isThereAlready(error: unknown): boolean {
  return (
    error instanceof DatabaseFault &&
    (/^(42P07|42701|ER_TABLE_EXISTS_ERROR|ER_DUP_FIELDNAME|ER_DUP_KEYNAME)$/.test(
      error.driverCode ?? "",
    ) ||
      /already exists|duplicate column/i.test(error.message))
  );
}

async function applyToPostgresql(connection: SqlConnection, change: SchemaChange): Promise<void> {
  if (change.kind === "index") {
    await buildIndex(connection, change);
    return;
  }
  await connection.begin();
  await connection.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
  await connection.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})::text`);
  for (const statement of change.statements) await connection.query(statement);
  await connection.commit();
}

/**
 * One process at a time: two that build at once would wait for each other's transactions. Who finds
 * the lock taken goes on without the index, which is on its way.
 */
async function buildIndex(connection: SqlConnection, change: SchemaChange): Promise<void> {
  const locked = await connection.query(
    `SELECT pg_try_advisory_lock(${ADVISORY_LOCK})::int AS held`,
  );
  if (locked.rows[0]?.["held"] !== 1) return;
  try {
    await connection.query(`SET lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`);
    const index = indexOf(change);
    const { rows } = await connection.query(
      "SELECT indisvalid::int AS valid FROM pg_catalog.pg_index WHERE indexrelid = to_regclass($1)",
      [index],
    );
    if (rows[0]?.["valid"] === 1) return;
    // One that somebody began and could not end is of no use, and keeps the name. It can't be dropped
    // right then, by who failed: that takes the very locks that were waited for in vain.
    if (rows.length > 0) await connection.query(`DROP INDEX CONCURRENTLY ${index}`);
    for (const statement of change.statements) {
      await connection.query(statement.replace("CREATE INDEX", "CREATE INDEX CONCURRENTLY"));
    }
  } finally {
    await connection.query("RESET lock_timeout");
    await connection.query(`SELECT pg_advisory_unlock(${ADVISORY_LOCK})::text`);
  }
}

function indexOf({ statements }: SchemaChange): string {
  const [, name = "", table = ""] = /^CREATE INDEX (.+) ON (.+) \(/.exec(statements[0] ?? "") ?? [];
  const schema = /^(.+)\.[^.]+$/.exec(table)?.[1];
  return schema === undefined ? name : `${schema}.${name}`;
}

async function applyToMysql(connection: SqlConnection, change: SchemaChange): Promise<void> {
  await connection.query(`SET SESSION lock_wait_timeout = ${LOCK_TIMEOUT_SECONDS}`);
  try {
    for (const statement of change.statements) {
      await connection.query(change.kind === "index" ? `${statement} LOCK=NONE` : statement);
    }
  } finally {
    await connection.query("SET SESSION lock_wait_timeout = DEFAULT");
  }
}

async function inTransaction(
  connection: SqlConnection,
  statements: readonly string[],
): Promise<void> {
  await connection.begin();
  for (const statement of statements) await connection.query(statement);
  await connection.commit();
}
