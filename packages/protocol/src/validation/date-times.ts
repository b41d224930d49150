import { kindOf } from "./kind-of.ts";
import { isNumber, isTimestamp, numeric } from "./wire-kinds.ts";

/**
 * Date-times and durations as stock Airflow reads them (pydantic, run on 2.14): with `T`,
 * `t`, `_` or a space between date and time, seconds optional, any number of decimals, a
 * zone of `Z` or an offset of hours and minutes below 24 h.
 */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+\-\u2212]\d\d:?\d\d)?)?$/;

/** Longer text is no date-time anyone writes; the limit keeps the check's time flat. */
const MAX_LENGTH = 64;

/** Stock takes numbers above 2e10 for milliseconds, and none beyond the year 9999. */
export const MAX_EPOCH = 253_402_300_799_999;

/** A date-time as it was written. */
export interface DateTimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Further decimals are cut off, as stock does. */
  readonly microsecond: number;
  /** East of UTC; left out when the text has no zone. */
  readonly offsetMinutes?: number;
}

/** Undefined when the text is no date-time. */
export function dateTimeParts(text: string): DateTimeParts | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(toNumber);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const microsecond = Number((match[7] ?? "").padEnd(6, "0").slice(0, 6));
  const parts = { year, month, day, hour, minute, second, microsecond };
  const zone = match[8];
  if (zone === undefined) return parts;
  const offsetMinutes = minutesOf(zone);
  return offsetMinutes === undefined ? undefined : { ...parts, offsetMinutes };
}

function minutesOf(zone: string): number | undefined {
  const digits = /(\d\d):?(\d\d)/.exec(zone);
  if (digits === null) return 0;
  const [hours, minutes] = [Number(digits[1]), Number(digits[2])];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("+") ? 1 : -1) * (hours * 60 + minutes);
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** What a task sends: text with a zone, a timestamp, or a number of seconds since 1970. */
export function isDateTimeSent(value: unknown): boolean {
  if (typeof value === "string") return dateTimeParts(value)?.offsetMinutes !== undefined;
  return isTimestamp(value) || (isNumber(value) && Math.abs(numeric(value)) <= MAX_EPOCH);
}

/** What came instead of a date-time with a zone; a forgotten zone is told apart. */
export function dateTimeKind(value: unknown): string {
  const parts = typeof value === "string" ? dateTimeParts(value) : undefined;
  const isNaive = parts !== undefined && parts.offsetMinutes === undefined;
  return isNaive ? "one without a zone" : kindOf(value);
}

/** What a task receives: text with or without a zone, or a timestamp. */
export function isDateTimeReceived(value: unknown): boolean {
  return typeof value === "string" ? dateTimeParts(value) !== undefined : isTimestamp(value);
}

const ISO_DURATION = /^[+-]?P(?=.)(?:\d+(?:[.,]\d+)?[YMWD])*(?:T(?:\d+(?:[.,]\d+)?[HMS])*)?$/;
const CLOCK_DURATION = /^[+-]?(?:\d+ ?d(?:ays?)?,? ?)?\d+:\d\d(?::\d\d(?:\.\d+)?)?$/i;

/** Stock counts a duration in microseconds and holds at most 999,999,999 days. */
const MAX_DURATION_SECONDS = 999_999_999 * 86_400;

/** A duration: ISO 8601 text, clock text such as `00:00:30`, or a number of seconds. */
export function isDuration(value: unknown): boolean {
  if (typeof value !== "string") {
    return isNumber(value) && Math.abs(numeric(value)) <= MAX_DURATION_SECONDS;
  }
  if (value.length > MAX_LENGTH || value === "PT" || /[+-]PT$/.test(value)) return false;
  return ISO_DURATION.test(value) || CLOCK_DURATION.test(value);
}
