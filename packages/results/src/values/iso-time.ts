/** A clock time with microseconds, and the distance from UTC where there is one. */
export interface ClockParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  /** East of UTC is positive; `null` for a naive value. Python keeps offsets to the microsecond. */
  readonly offsetMicroseconds: number | null;
}

/** A day of the proleptic Gregorian calendar, years 1 to 9999 as in Python. */
export interface DayParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** As Python's `time.isoformat()`: `23:59:59`, six digits of fraction only where it is not 0. */
export function formatClock(clock: ClockParts): string {
  const { hour, minute, second, microsecond, offsetMicroseconds } = clock;
  const fraction = microsecond === 0 ? "" : `.${pad(microsecond, 6)}`;
  const text = `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}${fraction}`;
  return offsetMicroseconds === null ? text : text + formatOffset(offsetMicroseconds);
}

/** As Python's `date.isoformat()`: `2024-02-29`. */
export function formatDay({ year, month, day }: DayParts): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Days of a month, leap years respected; 0 for a month that is none. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** What is wrong with a day, or `undefined`. */
export function dayFault({ year, month, day }: DayParts): string | undefined {
  if (!isWithin(year, 1, 9999)) return `year ${year} is not within 1 to 9999`;
  if (!isWithin(month, 1, 12)) return `month ${month} is not within 1 to 12`;
  return isWithin(day, 1, daysInMonth(year, month)) ? undefined : `day ${day} is not in that month`;
}

/** What is wrong with a clock time, or `undefined`. Python knows no second 60. */
export function clockFault(clock: ClockParts): string | undefined {
  if (!isWithin(clock.hour, 0, 23)) return `hour ${clock.hour} is not within 0 to 23`;
  if (!isWithin(clock.minute, 0, 59)) return `minute ${clock.minute} is not within 0 to 59`;
  if (!isWithin(clock.second, 0, 59)) return `second ${clock.second} is not within 0 to 59`;
  if (!isWithin(clock.microsecond, 0, SECOND - 1)) {
    return `microsecond ${clock.microsecond} is not within 0 to 999999`;
  }
  const offset = clock.offsetMicroseconds;
  if (offset === null || isWithin(offset, 1 - DAY, DAY - 1)) return undefined;
  return `offset ${offset} is not less than a day`;
}

function formatOffset(offset: number): string {
  const size = Math.abs(offset);
  const seconds = Math.floor(size / SECOND);
  const fraction = size % SECOND;
  const base = `${offset < 0 ? "-" : "+"}${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}`;
  if (fraction !== 0) return `${base}:${pad(seconds % 60, 2)}.${pad(fraction, 6)}`;
  return seconds % 60 === 0 ? base : `${base}:${pad(seconds % 60, 2)}`;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
