import { describe, RetryError } from "../errors.ts";
import { formatLocal } from "./format-local.ts";
import { readDateTime } from "./read-date-time.ts";

/** What is taken where a date with a zone is needed: text in ISO 8601, a `Date`, or an {@link Instant}. */
export type InstantInput = Instant | Date | string;

const US_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400;
const MAX_QUICK_US = 9e15;
const MIN_SECONDS = -62_135_596_800; // 0001-01-01T00:00:00
const MAX_SECONDS = 253_402_300_799; // 9999-12-31T23:59:59

/**
 * A point in time in whole microseconds, with the offset it was written in. Immutable.
 *
 * The year of its local and of its UTC time is 1 to 9999, as Python's `datetime` can hold.
 */
export class Instant {
  /** Whole seconds since 1970-01-01T00:00:00Z, rounded down. */
  readonly epochSeconds: number;
  /** 0 to 999,999. */
  readonly microsecond: number;
  /** East of Greenwich; less than a day. */
  readonly offsetSeconds: number;

  private constructor(epochSeconds: number, microsecond: number, offsetSeconds: number) {
    this.epochSeconds = epochSeconds;
    this.microsecond = microsecond;
    this.offsetSeconds = offsetSeconds;
  }

  /**
   * Reads `YYYY-MM-DD[T ]HH:MM[:SS[.ffffff]]` with `Z`, `±HH:MM` or `±HH:MM:SS`; a zone name
   * in brackets behind the offset is passed over.
   *
   * @throws {@link RetryError} `naive-date` without a zone; `bad-date` for anything else, more than six
   *   digits of a second included; `out-of-range` when its UTC time leaves the years 1 to 9999
   */
  static parse(text: string): Instant {
    if (typeof text !== "string") throw badType(text, "ISO 8601 text with a zone");
    const { localSeconds, microsecond, offsetSeconds } = readDateTime(text);
    const local = BigInt(localSeconds) * US_PER_SECOND + BigInt(microsecond);
    return Instant.fromEpochUs(local - BigInt(offsetSeconds) * US_PER_SECOND, offsetSeconds);
  }

  /**
   * An instant in UTC from a JavaScript date.
   *
   * @throws {@link RetryError} `bad-date` for none or an invalid one, `out-of-range` beyond the years 1 to 9999
   */
  static fromDate(date: Date): Instant {
    if (!(date instanceof Date)) throw badType(date, "a Date");
    const ms = date.getTime();
    if (Number.isNaN(ms)) throw new RetryError("bad-date", "the Date is invalid");
    return Instant.fromEpochUs(BigInt(ms) * 1000n);
  }

  /**
   * An instant from microseconds since 1970-01-01T00:00:00Z.
   *
   * @param offsetSeconds - whole, less than a day; 0 when absent
   * @throws {@link RetryError} `bad-date` for other types and offsets; `out-of-range` when it leaves the years
   *   1 to 9999, local or in UTC
   */
  static fromEpochUs(epochUs: bigint, offsetSeconds = 0): Instant {
    if (typeof epochUs !== "bigint") throw badType(epochUs, "microseconds as a bigint");
    if (!Number.isInteger(offsetSeconds) || Math.abs(offsetSeconds) >= SECONDS_PER_DAY) {
      throw badType(offsetSeconds, "an offset of whole seconds, less than a day");
    }
    const microsecond = Number(((epochUs % US_PER_SECOND) + US_PER_SECOND) % US_PER_SECOND);
    const epochSeconds = Number((epochUs - BigInt(microsecond)) / US_PER_SECOND);
    return Instant.checked(epochSeconds, microsecond, offsetSeconds);
  }

  private static checked(
    epochSeconds: number,
    microsecond: number,
    offsetSeconds: number,
  ): Instant {
    const local = epochSeconds + offsetSeconds;
    if (
      Math.min(epochSeconds, local) >= MIN_SECONDS &&
      Math.max(epochSeconds, local) <= MAX_SECONDS
    ) {
      return new Instant(epochSeconds, microsecond, offsetSeconds);
    }
    const where = epochSeconds < 0 ? "before the year 1" : "after the year 9999";
    throw new RetryError("out-of-range", `the date is ${where}; Python's datetime ends there`);
  }

  /**
   * An instant from whatever is taken for one.
   *
   * @throws {@link RetryError} those of {@link Instant.parse} and {@link Instant.fromDate}, and
   *   `bad-date` for what is neither
   */
  static from(value: InstantInput): Instant {
    if (value instanceof Instant) return value;
    if (typeof value === "string") return Instant.parse(value);
    if (value instanceof Date) return Instant.fromDate(value);
    throw badType(value, "ISO 8601 text with a zone, a Date or an Instant");
  }

  /** Seconds since 1970 that the clock shows in its offset. */
  get localSeconds(): number {
    return this.epochSeconds + this.offsetSeconds;
  }

  /** Microseconds since 1970-01-01T00:00:00Z. */
  get epochUs(): bigint {
    return BigInt(this.epochSeconds) * US_PER_SECOND + BigInt(this.microsecond);
  }

  /**
   * The instant so many microseconds later, in the same offset.
   *
   * @throws {@link RetryError} `out-of-range` when it leaves the years 1 to 9999; `bad-date` for what is no bigint
   */
  plus(us: bigint): Instant {
    if (typeof us !== "bigint") throw badType(us, "microseconds as a bigint");
    const number = Number(us);
    // Numbers take a third of the time of bigints; sums of them are exact up to here.
    if (Math.abs(number) > MAX_QUICK_US) {
      return Instant.fromEpochUs(this.epochUs + us, this.offsetSeconds);
    }
    const sum = this.microsecond + number;
    const seconds = Math.floor(sum / 1e6);
    const { epochSeconds, offsetSeconds } = this;
    return Instant.checked(epochSeconds + seconds, sum - seconds * 1e6, offsetSeconds);
  }

  /** The same instant in UTC. */
  toUtc(): Instant {
    return this.offsetSeconds === 0 ? this : new Instant(this.epochSeconds, this.microsecond, 0);
  }

  /** To the millisecond, rounded up: a timer set for it never fires too early. */
  toDate(): Date {
    return new Date(this.epochSeconds * 1000 + Math.ceil(this.microsecond / 1000));
  }

  /**
   * `YYYY-MM-DDTHH:MM:SS.ffffff±HH:MM` in its own offset; without `fraction: "always"` the fraction
   * is left out when it is zero.
   */
  toIso(options: { readonly fraction?: "always" | "as-needed" } = {}): string {
    return formatLocal(this, "T", options.fraction === "always");
  }

  /** As {@link Instant.toIso}. */
  toString(): string {
    return this.toIso();
  }

  toJSON(): string {
    return this.toIso();
  }
}

function badType(value: unknown, expected: string): RetryError {
  return new RetryError("bad-date", `the date is ${describe(value)}; expected ${expected}`);
}
