import type { SqlConnection } from "../drivers/driver.ts";
import { DATE_DONE_INDEXES, SEQUENCES } from "./ddl.ts";
import type { TableName, TableRole } from "./table-names.ts";
import type { TableFacts } from "./tables.ts";

const COLUMNS = `
  SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type,
         (atthasdef OR attidentity <> '')::int AS filled
    FROM pg_catalog.pg_attribute
   WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`;

const EXTRAS = `
  SELECT (SELECT count(*) FROM pg_catalog.pg_index i
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
           WHERE i.indrelid = to_regclass($1) AND i.indisvalid AND a.attname = 'date_done') AS indexes,
         (SELECT count(*) FROM pg_catalog.pg_class
           WHERE oid = to_regclass($2) AND relkind = 'S') AS sequences,
         (SELECT count(*) FROM pg_catalog.pg_class c
            LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
           WHERE c.oid = to_regclass($3)
             AND (i.indrelid = to_regclass($1) AND NOT i.indisvalid) IS NOT TRUE) AS taken`;

/** What PostgreSQL's catalog says of a table; names without a schema are found by the search path. */
export async function readPostgresqlTable(
  connection: SqlConnection,
  role: TableRole,
  { name, schema }: TableName,
): Promise<TableFacts> {
  const prefix = schema === undefined ? "" : `${quote(schema)}.`;
  const table = prefix + quote(name);
  const sequence = prefix + quote(SEQUENCES[role]);
  const columns = (await connection.query(COLUMNS, [table])).rows;
  const index = prefix + quote(DATE_DONE_INDEXES[role]);
  const extras = (await connection.query(EXTRAS, [table, sequence, index])).rows[0];
  const hasSequence = Number(extras?.["sequences"]) > 0;
  const id = columns.find((column) => column["name"] === "id");
  return {
    exists: columns.length > 0,
    columns: new Set(columns.map((column) => String(column["name"]))),
    // As Celery: the sequence where there is one, whatever default the column has.
    nextId: hasSequence ? `nextval('${sequence.replaceAll("'", "''")}')` : null,
    needsSequence: !hasSequence && id !== undefined && Number(id["filled"]) === 0,
    // 1 GiB a value: what does not fit is refused by the server.
    maxBytes: new Map(),
    maxCharacters: new Map(
      columns.flatMap((column): [string, number][] => {
        const length = /^character varying\((\d+)\)$/.exec(String(column["type"]))?.[1];
        return length === undefined ? [] : [[String(column["name"]), Number(length)]];
      }),
    ),
    hasDateDoneIndex: Number(extras?.["indexes"]) > 0,
    indexNameTaken: Number(extras?.["taken"]) > 0,
  };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
