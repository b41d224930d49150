import { markKind } from "./python-kind.ts";

const PATTERN = /^(\d{4})-?(\d\d)-?(\d\d)$/;

/** A Python `date`: a day without a time, years 1 to 9999. */
export class CalendarDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;

  /** @throws RangeError for a day that does not exist */
  constructor(year: number, month: number, day: number) {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    const isThere =
      year >= 1 &&
      year <= 9999 &&
      date.getUTCFullYear() === year &&
      date.getUTCMonth() === month - 1 &&
      date.getUTCDate() === day;
    if (!isThere) {
      throw new RangeError(`new CalendarDate(${year}, ${month}, ${day}): there is no such day`);
    }
    this.year = year;
    this.month = month;
    this.day = day;
  }

  /** Reads `2026-01-02`. @throws RangeError for anything else */
  static parse(text: string): CalendarDate {
    const match = PATTERN.exec(text);
    if (match === null) {
      const shown = JSON.stringify(String(text).slice(0, 80));
      throw new RangeError(`CalendarDate.parse(${shown}): expected text such as 2026-01-02`);
    }
    return new CalendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
  }

  /** The day of a moment in UTC. */
  static fromDate(date: Date): CalendarDate {
    return new CalendarDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  }

  /** Its midnight in UTC. */
  toDate(): Date {
    return new Date(`${this.toString()}T00:00:00Z`);
  }

  /** `2026-01-02`; texts of days sort as the days do. */
  toString(): string {
    const { year, month, day } = this;
    return [String(year).padStart(4, "0"), pad(month), pad(day)].join("-");
  }

  toJSON(): string {
    return this.toString();
  }
}

function pad(part: number): string {
  return String(part).padStart(2, "0");
}

markKind(CalendarDate.prototype, "date");
