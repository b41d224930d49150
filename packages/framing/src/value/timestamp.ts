import { formatTimestamp, parseTimestamp } from "./timestamp-text.ts";

const BRAND: unique symbol = Symbol.for("parlance.timestamp") as never;
const MIN_SECONDS = -(2n ** 63n);
const MAX_SECONDS = 2n ** 63n - 1n;
const MAX_DATE_MS = 8_640_000_000_000_000;

/**
 * A moment as MessagePack's timestamp extension (-1) carries it: whole seconds since 1970 UTC
 * and nanoseconds. A `Date` would lose everything below a millisecond, and Airflow's date-times
 * have microseconds.
 */
export class Timestamp {
  /** Whole seconds since 1970-01-01T00:00:00Z, rounded down; a signed 64-bit integer. */
  readonly seconds: bigint;
  /** 0 to 999,999,999, always counted forward from `seconds`. */
  readonly nanoseconds: number;

  /** @throws RangeError when a part is out of range or not whole */
  constructor(seconds: bigint | number, nanoseconds: number = 0) {
    if (!Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds > 999_999_999) {
      throw new RangeError(
        `new Timestamp: nanoseconds ${nanoseconds} is not an integer from 0 to 999999999`,
      );
    }
    const whole = BigInt(seconds); // a RangeError of its own for 1.5 or NaN
    if (whole < MIN_SECONDS || whole > MAX_SECONDS) {
      throw new RangeError(`new Timestamp: ${whole} seconds do not fit in 64 bits`);
    }
    this.seconds = whole;
    this.nanoseconds = nanoseconds;
  }

  /** @throws RangeError when the date is invalid */
  static fromDate(date: Date): Timestamp {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) throw new RangeError("Timestamp.fromDate: the Date is invalid");
    const seconds = Math.floor(milliseconds / 1000);
    return new Timestamp(seconds, (milliseconds - seconds * 1000) * 1_000_000);
  }

  /**
   * Reads ISO 8601 text with up to nine digits of a second. A zone (`Z`, `+02:00`) is demanded:
   * text without one names no moment.
   *
   * @throws RangeError when the text is no such date-time
   */
  static parse(iso: string): Timestamp {
    const { seconds, nanoseconds } = parseTimestamp(iso);
    return new Timestamp(seconds, nanoseconds);
  }

  /**
   * The `Date` at or just before this moment (its milliseconds are cut, not rounded).
   *
   * @throws RangeError when no Date reaches that far (beyond about the year 275760)
   */
  toDate(): Date {
    const milliseconds = Number(this.seconds) * 1000 + Math.floor(this.nanoseconds / 1_000_000);
    if (Math.abs(milliseconds) > MAX_DATE_MS) {
      throw new RangeError(`Timestamp.toDate: no Date can hold ${this.toISOString()}`);
    }
    return new Date(milliseconds);
  }

  /**
   * In UTC with the zone `+00:00`: without a fraction when the seconds are whole, else six
   * digits, or nine when it is finer than a microsecond. Years outside 0000 to 9999 have a sign
   * and at least six digits.
   */
  toISOString(): string {
    return formatTimestamp(this.seconds, this.nanoseconds);
  }

  toJSON(): string {
    return this.toISOString();
  }
}

Object.defineProperty(Timestamp.prototype, BRAND, { value: true });

/** True for a {@link Timestamp}, also one made by another copy of this package. */
export function isTimestamp(value: object): value is Timestamp {
  return (value as { [BRAND]?: boolean })[BRAND] === true;
}
