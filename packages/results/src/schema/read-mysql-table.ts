import type { SqlConnection, SqlRow } from "../drivers/driver.ts";
import { SEQUENCES } from "./ddl.ts";
import type { TableName, TableRole } from "./table-names.ts";
import type { TableFacts } from "./tables.ts";

// Every name is given anew: MySQL 8 spells those of its catalog in capitals.
const COLUMNS = `
  SELECT column_name AS name, data_type AS type, character_maximum_length AS characters,
         character_octet_length AS bytes, extra AS extra
    FROM information_schema.columns
   WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?`;

const EXTRAS = `
  SELECT (SELECT COUNT(*) FROM information_schema.statistics
           WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?
             AND seq_in_index = 1 AND column_name = 'date_done') AS indexes,
         (SELECT COUNT(*) FROM information_schema.statistics AS u
           WHERE u.table_schema = COALESCE(?, DATABASE()) AND u.table_name = ?
             AND u.non_unique = 0 AND u.seq_in_index = 1
             AND u.column_name IN ('task_id', 'taskset_id') AND u.sub_part IS NULL
             AND NOT EXISTS (SELECT 1 FROM information_schema.statistics AS more
                              WHERE more.table_schema = u.table_schema AND more.table_name = u.table_name
                                AND more.index_name = u.index_name AND more.seq_in_index = 2)) AS keys_,
         (SELECT COUNT(*) FROM information_schema.tables
           WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?
             AND table_type = 'SEQUENCE') AS sequences`;

/** Above this a limit is of no interest: LONGBLOB's. */
const NO_LIMIT_BYTES = 2 ** 31;

/** What MySQL's or MariaDB's information_schema says of a table. */
export async function readMysqlTable(
  connection: SqlConnection,
  role: TableRole,
  { name, schema = null }: { readonly name: string; readonly schema?: TableName["schema"] | null },
): Promise<TableFacts> {
  const sequenceName = SEQUENCES[role];
  const columns = (await connection.query(COLUMNS, [schema, name])).rows;
  const extras = (
    await connection.query(EXTRAS, [schema, name, schema, name, schema, sequenceName])
  ).rows[0];
  const hasSequence = Number(extras?.["sequences"]) > 0;
  const id = columns.find((column) => column["name"] === "id");
  const fillsItself = /auto_increment/i.test(String(id?.["extra"]));
  const prefix = schema === null ? "" : `${quote(schema)}.`;
  return {
    exists: columns.length > 0,
    columns: new Set(columns.map((column) => String(column["name"]))),
    // As Celery on MariaDB: the sequence where there is one.
    nextId: hasSequence ? `NEXTVAL(${prefix}${quote(sequenceName)})` : null,
    needsSequence: !hasSequence && id !== undefined && !fillsItself,
    maxBytes: limits(columns, "bytes", /blob$|text$|binary$/),
    maxCharacters: limits(columns, "characters", /^varchar$/),
    hasDateDoneIndex: Number(extras?.["indexes"]) > 0,
    lacksUniqueKey: Number(extras?.["keys_"]) === 0,
    // Here an index's name is the table's own.
    indexNameTaken: false,
  };
}

function limits(columns: readonly SqlRow[], field: string, types: RegExp): Map<string, number> {
  const found = new Map<string, number>();
  for (const column of columns) {
    const limit = Number(column[field] ?? Number.NaN);
    if (types.test(String(column["type"])) && limit < NO_LIMIT_BYTES) {
      found.set(String(column["name"]), limit);
    }
  }
  return found;
}

function quote(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
