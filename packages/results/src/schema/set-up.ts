import type { SqlConnection } from "../drivers/driver.ts";
import { DatabaseFault } from "../retry/database-fault.ts";
import type { Dialect } from "../url/results-url.ts";
import { applyChange } from "./apply-change.ts";
import { planChanges, type SchemaChange } from "./plan-changes.ts";
import { readSchema } from "./read-schema.ts";
import { createSqlText } from "./sql-text.ts";
import type { ResultTableNames } from "./table-names.ts";
import type { SchemaFacts } from "./tables.ts";

/** The dialects of servers: MariaDB is told from MySQL. */
export type ServerDialect = Dialect | "mariadb";

/** What a look at the database gave. */
export interface KnownSchema {
  readonly dialect: ServerDialect;
  readonly facts: SchemaFacts;
}

/** What the set-up needs to know. */
export interface SetUpOptions {
  readonly dialect: Dialect;
  readonly names: ResultTableNames;
  readonly create: boolean;
  readonly largeValues: boolean;
  /** Told of each change that was made. */
  readonly onChange: (change: SchemaChange) => void;
  /** Told of each change that could not be made; the store works without it. */
  readonly onFailure: (change: SchemaChange, fault: DatabaseFault) => void;
}

/** Whether it is MySQL or MariaDB: the URL does not say, and both answer to both names. */
async function serverDialect(connection: SqlConnection, dialect: Dialect): Promise<ServerDialect> {
  if (dialect !== "mysql") return dialect;
  const { rows } = await connection.query("SELECT VERSION() AS version");
  return /mariadb/i.test(String(rows[0]?.["version"])) ? "mariadb" : "mysql";
}

/**
 * Reads what is there and makes what is missing, once. A table has to be made; a column, an index or
 * a sequence that can't be is told of, and the store works without.
 *
 * @throws DatabaseFault
 */
export async function setUpOnce(
  connection: SqlConnection,
  options: SetUpOptions,
): Promise<KnownSchema> {
  const { names, create } = options;
  const dialect = await serverDialect(connection, options.dialect);
  let facts = await readSchema(connection, options.dialect, names);
  if (!create) return { dialect, facts };
  const sql = createSqlText(options.dialect, names);
  const changes = planChanges(dialect, names, facts, options);
  let isStale = false;
  for (const change of changes) {
    try {
      await applyChange(connection, dialect, change, sql[change.role]);
      isStale = true;
      options.onChange(change);
    } catch (error) {
      if (!(error instanceof DatabaseFault) || error.fatal || change.kind === "table") throw error;
      await connection.rollback();
      options.onFailure(change, error);
    }
  }
  if (isStale) facts = await readSchema(connection, options.dialect, names);
  return { dialect, facts };
}

/** Looks at the tables and says what they lack; changes nothing. @throws DatabaseFault */
export async function checkOnce(
  connection: SqlConnection,
  options: SetUpOptions,
): Promise<KnownSchema & { readonly missing: readonly SchemaChange[] }> {
  const known = await setUpOnce(connection, { ...options, create: false });
  return { ...known, missing: planChanges(known.dialect, options.names, known.facts, options) };
}

/** What to tell the user of a change that could not be made. */
export function warningOf(change: SchemaChange, fault: DatabaseFault): string {
  const what = change.kind === "large-values" ? "columns" : change.kind;
  return (
    `The results table ${change.table} lacks the ${what} ${change.name}, which could not be made ` +
    `(${fault.pythonName}: ${fault.message}); it is used without. By hand: ${change.statements.join("; ")}`
  );
}
