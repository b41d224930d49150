import { type ClockParts, type DayParts, daysInMonth } from "./iso-time.ts";

const OFFSET = /^([+-])(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?$/;
const CLOCK = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d+))?)?)?$/;
const DAY = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d))$/;
const WEEK = /^(\d{4})(?:-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)$/;

/**
 * The forms that Python 3.11 reads as a date: `2024-02-29`, `20240229`, `2024-W09-4`, `2024W094`,
 * `2024-W09`. Ranges are not checked here.
 */
export function parseDay(text: string): DayParts | undefined {
  const day = DAY.exec(text);
  if (day !== null) {
    const [, year, month, date, month2, date2] = day;
    return { year: Number(year), month: Number(month ?? month2), day: Number(date ?? date2) };
  }
  const week = WEEK.exec(text);
  if (week === null) return undefined;
  const [, year, number, weekday, number2, weekday2] = week;
  return fromWeek(Number(year), Number(number ?? number2), Number(weekday ?? weekday2 ?? 1));
}

/** The forms that Python 3.11 reads as a time: `12`, `12:34`, `123456.789`, with `Z` or an offset. */
export function parseClock(text: string): ClockParts | undefined {
  const at = text.search(/[Z+-]/);
  const match = CLOCK.exec(at === -1 ? text : text.slice(0, at));
  if (match === null) return undefined;
  let offset: number | null = null;
  if (at !== -1) {
    const parsed = text.slice(at) === "Z" ? 0 : parseOffset(text.slice(at));
    if (parsed === undefined) return undefined;
    offset = parsed;
  }
  const [, hour, , minute = "0", second = "0", fraction = ""] = match;
  return {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microsecond: micros(fraction),
    offsetMicroseconds: offset,
  };
}

/** Length of the date at the start of a date-time; what follows it is one separator and the time. */
export function dayLength(text: string): number {
  const week = /^\d{4}(?:-W\d\d(?:-\d(?!\d))?|W\d\d(?:\d(?!\d))?)/.exec(text);
  if (week !== null) return week[0].length;
  return text[4] === "-" ? 10 : 8;
}

function parseOffset(text: string): number | undefined {
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes = "0", seconds = "0", fraction = ""] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const size =
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1_000_000 + micros(fraction);
  return sign === "-" && size !== 0 ? -size : size;
}

/** Digits behind the sixth are dropped, as Python does. */
function micros(fraction: string): number {
  return Number(fraction.slice(0, 6).padEnd(6, "0"));
}

function fromWeek(year: number, week: number, weekday: number): DayParts | undefined {
  const january4 = utc(year, 1, 4);
  const monday = january4 - ((((january4 + 3) % 7) + 7) % 7); // day 0, 1970-01-01, was a Thursday
  const weeks = week === 53 ? hasWeek53(year) : week >= 1 && week <= 52;
  if (!weeks || weekday < 1 || weekday > 7) return undefined;
  const date = new Date((monday + (week - 1) * 7 + weekday - 1) * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function hasWeek53(year: number): boolean {
  const first = (((utc(year, 1, 1) + 4) % 7) + 7) % 7; // 0 is Sunday
  return first === 4 || (first === 3 && daysInMonth(year, 2) === 29);
}

function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.floor(date.getTime() / 86_400_000);
}
