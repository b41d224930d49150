import {
  type ClockParts,
  clockFault,
  type DayParts,
  dayFault,
  formatClock,
  formatDay,
} from "./iso-time.ts";
import { dayLength, parseClock, parseDay } from "./parse-iso.ts";

const MIDNIGHT: ClockParts = {
  hour: 0,
  minute: 0,
  second: 0,
  microsecond: 0,
  offsetMicroseconds: null,
};

/**
 * A Python `datetime`, exact: years 1 to 9999, microseconds, and the offset from UTC as it was
 * written, or none (a naive date-time, which names no moment). A `Date` keeps neither.
 */
export class DateTime implements DayParts, ClockParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  /** East of UTC is positive; `null` for a naive date-time. */
  readonly offsetMicroseconds: number | null;

  /** @throws RangeError for a part out of range; absent parts are 0, an absent offset is `null` */
  constructor(parts: DayParts & Partial<ClockParts>) {
    const { year, month, day } = parts;
    const { hour = 0, minute = 0, second = 0, microsecond = 0, offsetMicroseconds = null } = parts;
    const fault =
      dayFault(parts) ?? clockFault({ hour, minute, second, microsecond, offsetMicroseconds });
    if (fault !== undefined) throw new RangeError(`new DateTime(…): ${fault}`);
    this.year = year;
    this.month = month;
    this.day = day;
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
    this.offsetMicroseconds = offsetMicroseconds;
  }

  /**
   * Reads what Python 3.11's `datetime.fromisoformat` reads, such as `2024-02-29T12:34:56.000789+00:00`.
   *
   * @throws RangeError for anything else
   */
  static parse(text: string): DateTime {
    const length = dayLength(text);
    const day = parseDay(text.slice(0, length));
    const clock = text.length === length ? MIDNIGHT : parseClock(text.slice(length + 1));
    if (day === undefined || clock === undefined) {
      throw new RangeError(
        `DateTime.parse(${JSON.stringify(text)}): expected text such as 2024-02-29T12:34:56+00:00`,
      );
    }
    return new DateTime({ ...day, ...clock });
  }

  /**
   * The moment of a `Date`, in UTC.
   *
   * @throws RangeError for an invalid `Date` and for years that Python does not know
   */
  static fromDate(date: Date): DateTime {
    if (Number.isNaN(date.getTime())) throw new RangeError("DateTime.fromDate: an invalid Date");
    return new DateTime({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      microsecond: date.getUTCMilliseconds() * 1000,
      offsetMicroseconds: 0,
    });
  }

  /** Whether it has no offset, so that it names no moment. */
  get isNaive(): boolean {
    return this.offsetMicroseconds === null;
  }

  /** The moment, cut to milliseconds. A naive one is taken as UTC, which is what Celery means by it. */
  toDate(): Date {
    const date = new Date(0);
    date.setUTCFullYear(this.year, this.month - 1, this.day);
    date.setUTCHours(this.hour, this.minute, this.second);
    const micros = this.microsecond - (this.offsetMicroseconds ?? 0);
    return new Date(date.getTime() + Math.floor(micros / 1000));
  }

  /** As Python's `isoformat()`; `separator` stands between day and time. */
  toString(separator = "T"): string {
    return formatDay(this) + separator + formatClock(this);
  }

  /** The text of {@link toString}. */
  toJSON(): string {
    return this.toString();
  }
}
