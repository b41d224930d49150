import type { SqlRow } from "../drivers/driver.ts";
import { readText, type SqlText } from "../schema/sql-text.ts";

/** A text column. */
export function columnText(row: SqlRow, column: string): string | null {
  return readText(row[column]);
}

/** A binary column; SQLite rows of other writers may hold text there, which Celery reads as UTF-8. */
export function columnBytes(row: SqlRow, column: string): Uint8Array | null {
  const value = row[column] ?? null;
  if (value === null || value instanceof Uint8Array) return value;
  return new TextEncoder().encode(String(value));
}

export function columnNumber(row: SqlRow, column: string): number | null {
  const value = row[column] ?? null;
  return value === null || value instanceof Uint8Array ? null : Number(value);
}

const DIGITS = (count: number): string => "[0-9]".repeat(count);

/**
 * `date_done` in a SELECT list. Text in the usual form holds nothing that SQLite's library could stumble
 * over (see `SqlText.text`), and is quicker to hand over as it is than as bytes.
 */
export function dateColumn(sql: SqlText): string {
  if (sql.dialect !== "sqlite") return "date_done";
  const day = `${DIGITS(4)}-${DIGITS(2)}-${DIGITS(2)}`;
  const form = `${day} ${DIGITS(2)}:${DIGITS(2)}:${DIGITS(2)}.${DIGITS(6)}`;
  return `CASE WHEN date_done GLOB '${form}' THEN date_done ELSE CAST(date_done AS BLOB) END AS date_done`;
}

/** `status` in a SELECT list, by the same thought for the state that is read most. */
export function statusColumn(sql: SqlText): string {
  return sql.dialect === "sqlite"
    ? "CASE WHEN status = 'SUCCESS' THEN status ELSE CAST(status AS BLOB) END AS status"
    : "status";
}

/** The instant of `date_done`, selected as `date_done_utc` where PostgreSQL's session zone decides. */
export const INSTANT =
  "to_char(date_done::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')";

/** Both forms of a row's time. */
export function readDate(
  row: SqlRow,
  read: (text: string) => Date | null,
): { readonly dateDone: Date | null; readonly dateDoneText: string | null } {
  const dateDoneText = columnText(row, "date_done");
  const instant = columnText(row, "date_done_utc") ?? dateDoneText;
  return { dateDone: instant === null ? null : read(instant), dateDoneText };
}
