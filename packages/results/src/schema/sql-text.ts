import type { SqlValue } from "../drivers/driver.ts";
import type { Dialect } from "../url/results-url.ts";
import type { ResultTableNames, TableName } from "./table-names.ts";

/** How statements are written for one dialect and one pair of tables. */
export interface SqlText {
  readonly dialect: Dialect;
  /** The table's name, quoted and with its schema: `"celery"."celery_taskmeta"`. */
  readonly task: string;
  readonly group: string;
  /** A name in the dialect's quotes. */
  quote(name: string): string;
  /** The n-th placeholder, from 1: `$1` or `?`. */
  parameter(n: number): string;
  /**
   * A column in a SELECT list; what comes is read with {@link readText}. On SQLite texts are
   * selected as bytes: its library ends the process at a text that is no UTF-8, and cuts one at its
   * first U+0000; rows of other writers may hold either.
   */
  text(column: string): string;
}

/** See {@link SqlText}. */
export function createSqlText(dialect: Dialect, names: ResultTableNames): SqlText {
  const mark = dialect === "mysql" ? "`" : '"';
  const quote = (name: string): string => mark + name.replaceAll(mark, mark + mark) + mark;
  const table = ({ name, schema }: TableName): string =>
    schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`;
  return {
    dialect,
    task: table(names.task),
    group: table(names.group),
    quote,
    parameter: dialect === "postgresql" ? (n) => `$${n}` : () => "?",
    text:
      dialect === "sqlite"
        ? (column) => `CAST(${quote(column)} AS BLOB) AS ${quote(column)}`
        : quote,
  };
}

/** The text of a column that was selected by {@link SqlText.text}; what is no UTF-8 becomes U+FFFD. */
export function readText(value: SqlValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  }
  return String(value);
}
