import { type ClockParts, clockFault, formatClock } from "./iso-time.ts";
import { parseClock } from "./parse-iso.ts";

/** A Python `time`: a clock time to the microsecond, with or without an offset from UTC. */
export class TimeOfDay implements ClockParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
  readonly offsetMicroseconds: number | null;

  /** @throws RangeError for a part out of range; absent parts are 0, an absent offset is `null` */
  constructor(parts: Pick<ClockParts, "hour" | "minute"> & Partial<ClockParts>) {
    const { hour, minute, second = 0, microsecond = 0, offsetMicroseconds = null } = parts;
    const clock = { hour, minute, second, microsecond, offsetMicroseconds };
    const fault = clockFault(clock);
    if (fault !== undefined) throw new RangeError(`new TimeOfDay(…): ${fault}`);
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
    this.offsetMicroseconds = offsetMicroseconds;
  }

  /**
   * Reads what Python's `time.fromisoformat` reads.
   *
   * @throws RangeError for anything else
   */
  static parse(text: string): TimeOfDay {
    const clock = parseClock(text.startsWith("T") ? text.slice(1) : text);
    if (clock === undefined) {
      throw new RangeError(`TimeOfDay.parse(${JSON.stringify(text)}): expected 23:59:59.000001`);
    }
    return new TimeOfDay(clock);
  }

  /** As Python's `isoformat()`: `23:59:59.000001`. */
  toString(): string {
    return formatClock(this);
  }

  /** The text of {@link toString}. */
  toJSON(): string {
    return this.toString();
  }
}
