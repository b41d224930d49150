import {
  type AliasedRawBuilder,
  type Compilable,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Database, RunOptions } from "../database/database.ts";
import type { SqlConnection, SqlResult, SqlValue } from "../drivers/driver.ts";
import type { ResultTables } from "../schema/tables.ts";
import type { Dialect } from "../url/results-url.ts";

/*
 * What is not on the hot path is built with Kysely. This module and those that import it are loaded by
 * the first such operation: Kysely takes longer to load than the rest of the store.
 */

/** Makes a query; called again for another try, when the tables may turn out to look different. */
export type BuildQuery = (db: Kysely<ResultTables>) => Compilable<unknown>;

/** Runs one query as an operation of its own, with all its retries. @throws ResultsError */
export async function runQuery(
  database: Database,
  operation: string,
  build: BuildQuery,
  options: RunOptions,
): Promise<SqlResult> {
  const db = await database.kysely(options.signal);
  return database.run(operation, (connection) => queryOn(connection, build(db)), options);
}

/** Runs one query on a connection. @throws DatabaseFault */
export function queryOn(connection: SqlConnection, query: Compilable<unknown>): Promise<SqlResult> {
  const { sql: text, parameters } = query.compile();
  return connection.query(text, parameters as readonly SqlValue[]);
}

/** A column of text in a SELECT list, as `SqlText.text` has it; to be read with `columnText`. */
export function textOf<Column extends string>(
  dialect: Dialect,
  column: Column,
): AliasedRawBuilder<Uint8Array | string | null, Column> {
  const own = sql.ref<Uint8Array | string | null>(column);
  return (dialect === "sqlite" ? sql<Uint8Array | null>`CAST(${own} AS BLOB)` : own).as(column);
}

/** A row of exactly this id: the usual collations of MySQL take `a`, `A` and `a ` for the same. */
export function hasId(
  dialect: Dialect,
  key: "task_id" | "taskset_id",
  id: string,
): RawBuilder<SqlBool> {
  const same = sql<SqlBool>`${sql.ref(key)} = ${id}`;
  if (dialect !== "mysql") return same;
  return sql<SqlBool>`${same} AND CAST(CONVERT(${sql.ref(key)} USING utf8mb4) AS BINARY) = CAST(${id} AS BINARY)`;
}
