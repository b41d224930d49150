import type { ResultTableNames, TableName, TableRole } from "./table-names.ts";
import { GROUP_COLUMNS, TASK_COLUMNS } from "./tables.ts";

/** What the tables can be written for; the last two only as text. */
export type DdlDialect = "sqlite" | "postgresql" | "mysql" | "mariadb" | "oracle" | "mssql";

export const DDL_DIALECTS: readonly DdlDialect[] = [
  "sqlite",
  "postgresql",
  "mysql",
  "mariadb",
  "oracle",
  "mssql",
];

/** The kinds of columns there are. */
type ColumnKind = "id" | "text155" | "text50" | "binary" | "time" | "text" | "integer";

const KINDS: { readonly [column: string]: ColumnKind } = {
  id: "id",
  task_id: "text155",
  taskset_id: "text155",
  status: "text50",
  result: "binary",
  date_done: "time",
  traceback: "text",
  children: "binary",
  name: "text155",
  args: "binary",
  kwargs: "binary",
  worker: "text155",
  retries: "integer",
  queue: "text155",
  stamps: "binary",
};

const COMMON = {
  id: "INTEGER",
  text155: "VARCHAR(155)",
  text50: "VARCHAR(50)",
  integer: "INTEGER",
};
const LITE = { ...COMMON, binary: "BLOB", time: "DATETIME", text: "TEXT" };

/** Seen in what Celery 5.7.0 with SQLAlchemy 2.1.9 ran or compiled. */
const TYPES: { readonly [Name in DdlDialect]: { readonly [Kind in ColumnKind]: string } } = {
  sqlite: LITE,
  mysql: LITE,
  mariadb: LITE,
  postgresql: { ...COMMON, binary: "BYTEA", time: "TIMESTAMP WITHOUT TIME ZONE", text: "TEXT" },
  oracle: {
    ...COMMON,
    text155: "VARCHAR2(155 CHAR)",
    text50: "VARCHAR2(50 CHAR)",
    binary: "BLOB",
    time: "DATE",
    text: "CLOB",
  },
  mssql: { ...LITE, id: "BIGINT", binary: "IMAGE" },
};

const COLUMNS: { readonly [Role in TableRole]: readonly string[] } = {
  task: TASK_COLUMNS,
  group: GROUP_COLUMNS,
};

const UNIQUE_COLUMNS: { readonly [Role in TableRole]: string } = {
  task: "task_id",
  group: "taskset_id",
};

/** Names that stay when a table is renamed. */
export const SEQUENCES: { readonly [Role in TableRole]: string } = {
  task: "task_id_sequence",
  group: "taskset_id_sequence",
};

export const DATE_DONE_INDEXES: { readonly [Role in TableRole]: string } = {
  task: "ix_celery_taskmeta_date_done",
  group: "ix_celery_tasksetmeta_date_done",
};

/** The index's name where Celery's is taken by another table of the same schema. */
export function otherIndexName({ name }: TableName): string {
  const index = `ix_${name}_date_done`;
  const isCelerys = Object.values(DATE_DONE_INDEXES).includes(index);
  return (isCelerys ? `${index}_2` : index).slice(0, 63);
}

/** The type of a column. */
export function columnType(dialect: DdlDialect, column: string): string {
  return TYPES[dialect][KINDS[column] ?? "text"];
}

/** The columns that may be added to an older table, in this order, as Celery adds them. */
export function nullableColumns(role: TableRole): readonly string[] {
  return COLUMNS[role].slice(2);
}

/** Every statement that makes one table, in order. */
export function tableStatements(
  dialect: DdlDialect,
  role: TableRole,
  names: ResultTableNames,
  indexName?: string,
): string[] {
  const table = names[role];
  const statements = [
    createTable(dialect, role, table),
    createIndex(dialect, role, table, indexName),
  ];
  return hasSequence(dialect) ? [createSequence(dialect, role, table), ...statements] : statements;
}

/** Whether ids come from a sequence: where SQLAlchemy knows of one, it makes it before the table. */
export function hasSequence(dialect: DdlDialect): boolean {
  return dialect !== "sqlite" && dialect !== "mysql";
}

export function createSequence(dialect: DdlDialect, role: TableRole, table: TableName): string {
  return `CREATE SEQUENCE ${qualify(dialect, { ...table, name: SEQUENCES[role] })}`;
}

export function createIndex(
  dialect: DdlDialect,
  role: TableRole,
  table: TableName,
  indexName: string = DATE_DONE_INDEXES[role],
): string {
  const index = ddlName(dialect, indexName);
  // SQLite has the schema before the index, and none before the table.
  const isLite = dialect === "sqlite" && table.schema !== undefined;
  const named = isLite ? qualify(dialect, { ...table, name: indexName }) : index;
  const on = isLite ? ddlName(dialect, table.name) : qualify(dialect, table);
  return `CREATE INDEX ${named} ON ${on} (date_done)`;
}

/** `ALTER TABLE … ADD COLUMN`, the column quoted as Celery does. */
export function addColumn(dialect: DdlDialect, table: TableName, column: string): string {
  const mark = dialect === "mysql" || dialect === "mariadb" ? "`" : '"';
  const definition = `${mark}${column}${mark} ${columnType(dialect, column)}`;
  return `ALTER TABLE ${qualify(dialect, table)} ADD COLUMN ${definition}`;
}

/** The columns that a `LONGBLOB` migration widens. */
export const LARGE_COLUMNS: { readonly [Role in TableRole]: readonly string[] } = {
  task: ["result", "children", "args", "kwargs", "stamps"],
  group: ["result"],
};

/** One statement for all of them: each makes the server copy the table. */
export function widenColumns(
  dialect: DdlDialect,
  table: TableName,
  columns: readonly string[],
): string {
  const changes = columns.map((column) => `MODIFY COLUMN \`${column}\` LONGBLOB`);
  return `ALTER TABLE ${qualify(dialect, table)} ${changes.join(", ")}`;
}

function createTable(dialect: DdlDialect, role: TableRole, table: TableName): string {
  const nullable = dialect === "mssql" ? " NULL" : "";
  const lines = COLUMNS[role].map((column) => {
    const definition = `${column} ${columnType(dialect, column)}`;
    return column === "id" ? definition + idSuffix(dialect) : definition + nullable;
  });
  if (dialect !== "sqlite") lines.push("PRIMARY KEY (id)");
  lines.push(`UNIQUE (${UNIQUE_COLUMNS[role]})`);
  return `CREATE TABLE ${qualify(dialect, table)} (\n\t${lines.join(", \n\t")}\n)`;
}

function idSuffix(dialect: DdlDialect): string {
  if (dialect === "sqlite") return " NOT NULL PRIMARY KEY AUTOINCREMENT";
  return dialect === "mysql" ? " NOT NULL AUTO_INCREMENT" : " NOT NULL";
}

function qualify(dialect: DdlDialect, { name, schema }: TableName): string {
  const own = ddlName(dialect, name);
  return schema === undefined ? own : `${ddlName(dialect, schema)}.${own}`;
}

/** Reserved words with an underscore, in any of the dialects, by how they begin. */
const RESERVED =
  /^(current|session|system|local|utc|sql|day|hour|minute|second|year|high|low|no|row|straight|master|group_concat|dense|cume|first|last|nth|percent|json|optimizer)_/;

/**
 * Names that need no quotes have none, so that the text is the one that SQLAlchemy compiles: small
 * letters, digits and at least one underscore, no reserved word. (A plain word is quoted here, to be
 * on the safe side; it means the same.)
 */
function ddlName(dialect: DdlDialect, name: string): string {
  if (/^[a-z][a-z0-9]*_[a-z0-9_]*$/.test(name) && !RESERVED.test(name)) return name;
  if (dialect === "mssql") return `[${name.replaceAll("]", "]]")}]`;
  const mark = dialect === "mysql" || dialect === "mariadb" ? "`" : '"';
  return mark + name.replaceAll(mark, mark + mark) + mark;
}
