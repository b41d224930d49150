import { DateTime } from "./date-time.ts";
import { type DayParts, dayFault, formatDay } from "./iso-time.ts";

/** A Python `date`: a day without a time, years 1 to 9999. */
export class CalendarDate implements DayParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;

  /** @throws RangeError for a day that does not exist */
  constructor(year: number, month: number, day: number) {
    const fault = dayFault({ year, month, day });
    if (fault !== undefined) {
      throw new RangeError(`new CalendarDate(${year}, ${month}, ${day}): ${fault}`);
    }
    this.year = year;
    this.month = month;
    this.day = day;
  }

  /**
   * Reads ISO text; a time behind the day is checked and dropped, as kombu does.
   *
   * @throws RangeError for anything else
   */
  static parse(text: string): CalendarDate {
    try {
      const { year, month, day } = DateTime.parse(text);
      return new CalendarDate(year, month, day);
    } catch (cause) {
      throw new RangeError(`CalendarDate.parse(${JSON.stringify(text)}): expected 2024-02-29`, {
        cause,
      });
    }
  }

  /** `2024-02-29`. */
  toString(): string {
    return formatDay(this);
  }

  /** The text of {@link toString}. */
  toJSON(): string {
    return this.toString();
  }
}
