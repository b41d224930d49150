// Date ends at the year 275760 and keeps milliseconds only, 64-bit seconds reach a million times
// as far. But the Gregorian calendar repeats after 400 years to the day, so whole repetitions are
// counted apart and Date only ever sees the years 1970 to 2399.

const SECONDS_PER_DAY = 86_400;
const MS_PER_DAY = 86_400_000;
const YEARS_PER_CYCLE = 400;
const DAYS_PER_CYCLE = 146_097;
/** The cycle, counted from the year 0, that begins in 2000. */
const CYCLE_OF_2000 = 5;

const PATTERN =
  /^(\d{4}|[+-]\d{6,12})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)$/;

interface Moment {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

/** @throws RangeError when the text is no ISO 8601 date-time with a zone */
export function parseTimestamp(iso: string): Moment {
  const match = PATTERN.exec(iso);
  if (match === null) throw refuse(iso, "expected e.g. 2026-06-16T01:02:03.123456+00:00");
  const [, yearText = "", monthText, dayText, hourText, minuteText, secondText, fraction, zone] =
    match;
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  const hour = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText ?? 0);
  if (yearText === "-000000" || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    throw refuse(iso, "there is no such day");
  }
  if (hour > 23 || minute > 59 || second > 59) throw refuse(iso, "there is no such time of day");
  const offset = zoneSeconds(zone ?? "");
  if (offset === undefined) throw refuse(iso, "there is no such zone");
  const ofDay = hour * 3600 + minute * 60 + second - offset;
  const seconds =
    BigInt(daysSinceEpoch(year, month, day)) * BigInt(SECONDS_PER_DAY) + BigInt(ofDay);
  return { seconds, nanoseconds: Number((fraction ?? "").padEnd(9, "0")) };
}

function refuse(iso: string, why: string): RangeError {
  return new RangeError(`Timestamp.parse: ${JSON.stringify(iso.slice(0, 80))}: ${why}`);
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const digits = zone.slice(1).replaceAll(":", "").padEnd(6, "0");
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2, 4));
  const seconds = Number(digits.slice(4, 6));
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** The text of `Timestamp.toISOString`. */
export function formatTimestamp(seconds: bigint, nanoseconds: number): string {
  const perDay = BigInt(SECONDS_PER_DAY);
  const ofDay = Number(((seconds % perDay) + perDay) % perDay);
  const days = Number((seconds - BigInt(ofDay)) / perDay);
  const { year, month, day } = dateOfDay(days);
  const date = `${yearText(year)}-${pad(month, 2)}-${pad(day, 2)}`;
  const minutes = Math.floor(ofDay / 60);
  const time = `${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}:${pad(ofDay % 60, 2)}`;
  return `${date}T${time}${fractionText(nanoseconds)}+00:00`;
}

function fractionText(nanoseconds: number): string {
  if (nanoseconds === 0) return "";
  return nanoseconds % 1000 === 0 ? `.${pad(nanoseconds / 1000, 6)}` : `.${pad(nanoseconds, 9)}`;
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return pad(year, 4);
  return `${year < 0 ? "-" : "+"}${pad(Math.abs(year), 6)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01, for a day that exists. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const cycles = Math.floor(year / YEARS_PER_CYCLE) - CYCLE_OF_2000;
  const inCycle = Date.UTC(year - cycles * YEARS_PER_CYCLE, month - 1, day) / MS_PER_DAY;
  return cycles * DAYS_PER_CYCLE + inCycle;
}

function dateOfDay(days: number): { year: number; month: number; day: number } {
  const cycles = Math.floor(days / DAYS_PER_CYCLE);
  const date = new Date((days - cycles * DAYS_PER_CYCLE) * MS_PER_DAY);
  return {
    year: date.getUTCFullYear() + cycles * YEARS_PER_CYCLE,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
}
