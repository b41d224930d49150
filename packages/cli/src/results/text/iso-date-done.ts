/**
 * When a row was done, as ISO 8601 in UTC with the microseconds of the column.
 *
 * @param date - the instant, to the millisecond
 * @param column - the column's text, in whatever zone its digits are
 */
export function isoDateDone(date: Date | null, column: string | null): string | null {
  if (date === null) return column;
  const [, micros = "000"] = /\.\d{3}(\d{3})$/.exec(column ?? "") ?? [];
  return date.toISOString().replace("Z", `${micros}+00:00`);
}
