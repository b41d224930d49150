import { kindOf } from "./kind-of.ts";
import { isNumber, isTimestamp, numeric } from "./wire-kinds.ts";

/**
 * Date-times as stock Airflow reads them (pydantic, run on 2.14): with `T`,
 * `t`, `_` or a space between date and time, seconds optional, any number of decimals, a
 * zone of `Z` or an offset of hours and minutes below 24 h.
 */
const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+\-\u2212]\d\d:?\d\d)?)?$/;

/** Longer text is no date-time anyone writes; the limit keeps the check's time flat. */
const MAX_LENGTH = 64;

/** The years 1 to 9999 in milliseconds, which stock takes numbers beyond 2e10 for. */
const MIN_EPOCH_MS = -62_135_596_800_000;
const EPOCH_MS_LIMIT = 253_402_300_800_000;

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
  return isTimestamp(value) || (isNumber(value) && isEpoch(numeric(value)));
}

/** A number of seconds, or beyond 2e10 of milliseconds, that is a date-time. */
export function isEpoch(number: number): boolean {
  return number >= MIN_EPOCH_MS && number < EPOCH_MS_LIMIT;
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
