import type { SqlConnection } from "../drivers/driver.ts";
import type { Dialect } from "../url/results-url.ts";
import { readMysqlTable } from "./read-mysql-table.ts";
import { readPostgresqlTable } from "./read-postgresql-table.ts";
import { readSqliteTable } from "./read-sqlite-table.ts";
import type { ResultTableNames, TableName, TableRole } from "./table-names.ts";
import type { SchemaFacts, TableFacts } from "./tables.ts";

/** Reads one table's columns, index and sequence; needs no more than the right to look. */
export type ReadTable = (
  connection: SqlConnection,
  role: TableRole,
  table: TableName,
) => Promise<TableFacts>;

const READERS: { readonly [Name in Dialect]: ReadTable } = {
  sqlite: readSqliteTable,
  postgresql: readPostgresqlTable,
  mysql: readMysqlTable,
};

/** Reads what both tables look like. */
export async function readSchema(
  connection: SqlConnection,
  dialect: Dialect,
  names: ResultTableNames,
): Promise<SchemaFacts> {
  const read = READERS[dialect];
  const task = await read(connection, "task", names.task);
  return { task, group: await read(connection, "group", names.group) };
}
