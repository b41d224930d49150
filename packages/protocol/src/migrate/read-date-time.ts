import { type DateTimeParts, dateTimeParts, isEpoch } from "../validation/date-times.ts";
import { isTimestamp, numeric } from "../validation/wire-kinds.ts";

/** What becomes of the zone of a date-time. */
export interface ZoneRule {
  /** Without a zone it is refused. */
  readonly demandsZone: boolean;
  /** It is turned into UTC, as Airflow's server models do. */
  readonly inUtc: boolean;
}

/** Above it a number counts milliseconds, not seconds. */
const MAX_EPOCH_SECONDS = 2e10;
const NUMBER_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/**
 * A date-time in the text that stock writes: `T`, `Z` for UTC, six decimals or none. A
 * timestamp of the wire stays one. Undefined for what is no date-time.
 */
export function readDateTime(value: unknown, { demandsZone, inUtc }: ZoneRule): unknown {
  if (isTimestamp(value)) return value;
  if (typeof value === "string" && !NUMBER_TEXT.test(value)) {
    const parts = dateTimeParts(value);
    if (parts === undefined || (demandsZone && parts.offsetMinutes === undefined)) return undefined;
    return textOf(inUtc ? toUtc(parts) : parts);
  }
  const number = typeof value === "string" ? Number(value) : numeric(value);
  return isEpoch(number) ? textOf(fromEpoch(number)) : undefined;
}

function fromEpoch(number: number): DateTimeParts {
  const isMilliseconds = Math.abs(number) > MAX_EPOCH_SECONDS;
  const perUnit = isMilliseconds ? 1_000 : 1_000_000;
  const whole = Math.floor(number);
  const unitsPerSecond = 1_000_000 / perUnit;
  const seconds = Math.floor(whole / unitsPerSecond);
  const microseconds = (whole - seconds * unitsPerSecond) * perUnit;
  return partsOf(seconds * 1000, microseconds + Math.round((number - whole) * perUnit));
}

function partsOf(epochMs: number, microsecond: number): DateTimeParts {
  const date = new Date(epochMs + Math.floor(microsecond / 1e6) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    microsecond: microsecond % 1e6,
    offsetMinutes: 0,
  };
}

function toUtc(parts: DateTimeParts): DateTimeParts {
  const { year, month, day, hour, minute, second, offsetMinutes = 0 } = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offsetMinutes, second);
  return partsOf(date.getTime(), parts.microsecond);
}

function textOf(parts: DateTimeParts): string {
  const { year, month, day, hour, minute, second, microsecond, offsetMinutes } = parts;
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  const fraction = microsecond === 0 ? "" : `.${pad(microsecond, 6)}`;
  return `${date}T${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}${zoneText(offsetMinutes)}`;
}

function zoneText(offsetMinutes: number | undefined): string {
  if (offsetMinutes === undefined) return "";
  if (offsetMinutes === 0) return "Z";
  const absolute = Math.abs(offsetMinutes);
  const sign = offsetMinutes < 0 ? "-" : "+";
  return `${sign}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}

function pad(value: number, length = 2): string {
  return String(value).padStart(length, "0");
}
