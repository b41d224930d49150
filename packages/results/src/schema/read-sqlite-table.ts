import type { SqlConnection } from "../drivers/driver.ts";
import { DATE_DONE_INDEXES } from "./ddl.ts";
import { readText } from "./sql-text.ts";
import type { TableName, TableRole } from "./table-names.ts";
import type { TableFacts } from "./tables.ts";

/** What SQLite's pragmas say of a table. */
export async function readSqliteTable(
  connection: SqlConnection,
  role: TableRole,
  { name, schema }: TableName,
): Promise<TableFacts> {
  const values = [name, schema ?? "main"];
  const columns = await connection.query(
    "SELECT CAST(name AS BLOB) AS name FROM pragma_table_info(?, ?)",
    values,
  );
  const indexes = await connection.query(
    `SELECT count(*) AS found FROM pragma_index_list(?, ?) AS list, pragma_index_info(list.name, ?) AS part
      WHERE part.seqno = 0 AND part.name = 'date_done'`,
    [...values, schema ?? "main"],
  );
  const master = `"${(schema ?? "main").replaceAll('"', '""')}".sqlite_master`;
  const taken = await connection.query(`SELECT count(*) AS found FROM ${master} WHERE name = ?`, [
    DATE_DONE_INDEXES[role],
  ]);
  return {
    exists: columns.rows.length > 0,
    columns: new Set(columns.rows.map((row) => readText(row["name"]) ?? "")),
    nextId: null,
    needsSequence: false,
    // One value may have 10^9 bytes (SQLITE_MAX_LENGTH); lengths in types mean nothing.
    maxBytes: new Map(),
    maxCharacters: new Map(),
    hasDateDoneIndex: Number(indexes.rows[0]?.["found"]) > 0,
    indexNameTaken: Number(taken.rows[0]?.["found"]) > 0,
  };
}
