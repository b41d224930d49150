import type { SqlRow } from "../drivers/driver.ts";
import { readText, type SqlText } from "../schema/sql-text.ts";
import type { DateRule } from "./date-rule.ts";

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

/** `date_done` in a SELECT list. */
export function dateColumn(sql: SqlText): string {
  return sql.dialect === "sqlite" ? sql.text("date_done") : "date_done";
}

/** The instant of `date_done` beside its text, where PostgreSQL's session zone decides. */
export function instantColumn(rule: DateRule): string {
  return rule.sessionZone
    ? `, to_char(date_done::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS date_done_utc`
    : "";
}

/** Both forms of a row's time. */
export function readDate(
  row: SqlRow,
  read: (text: string) => Date | null,
): { readonly dateDone: Date | null; readonly dateDoneText: string | null } {
  const dateDoneText = columnText(row, "date_done");
  const instant = columnText(row, "date_done_utc") ?? dateDoneText;
  return { dateDone: instant === null ? null : read(instant), dateDoneText };
}
