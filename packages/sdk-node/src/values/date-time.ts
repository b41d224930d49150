import { markKind } from "./python-kind.ts";
import { offsetAt, offsetText, type Zone, zoneFault } from "./time-zone.ts";

const PATTERN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,6}))?(Z|[+-]\d\d:?\d\d(?::?\d\d)?)?)?$/i;

/** What a `Date` does not know. */
export interface DateTimeOptions {
  /** Microseconds behind the milliseconds, 0 to 999. @default 0 */
  readonly microsecond?: number;
  /** Null for a naive date-time, whose clock shows UTC then. @default "UTC" */
  readonly zone?: Zone | null;
  /** Whether it is a `pendulum.DateTime` in Python. @default false */
  readonly isPendulum?: boolean;
}

/**
 * A Python `datetime`: a `Date` that also knows the microseconds and the zone, so that what was
 * read is written back the same. Use it as a `Date` where milliseconds in UTC are all you need. (A
 * strict comparison of objects in a test tells the two apart: compare `getTime()`.)
 */
export class DateTime extends Date {
  readonly #microsecond: number;
  readonly #readAt: number;
  /** `Europe/Paris`, or the seconds ahead of UTC; null for a naive date-time. */
  readonly zone: Zone | null;
  /** Whether it is a `pendulum.DateTime` in Python. */
  readonly isPendulum: boolean;

  /**
   * @param moment - a Date, or milliseconds since 1970 in UTC
   * @throws RangeError for an option out of range
   */
  constructor(moment: Date | number, options: DateTimeOptions = {}) {
    super(Number(moment));
    const { microsecond = 0, zone = "UTC", isPendulum = false } = options;
    if (!Number.isInteger(microsecond) || microsecond < 0 || microsecond > 999) {
      throw new RangeError(`new DateTime(…): microsecond ${microsecond} is not one of 0 to 999`);
    }
    const fault = zone === null ? undefined : zoneFault(zone);
    if (fault !== undefined) throw new RangeError(`new DateTime(…): zone ${zone}: ${fault}`);
    this.#microsecond = microsecond;
    this.#readAt = this.getTime();
    this.zone = zone === 0 ? "UTC" : zone;
    this.isPendulum = isPendulum;
  }

  /**
   * Reads ISO 8601 text as Python does: `2026-01-02T03:04:05.678901+01:00`; without an offset it is
   * naive.
   *
   * @throws RangeError for anything else
   */
  static fromISO(text: string): DateTime {
    const match = PATTERN.exec(text);
    const [, day = "", clock = "00:00", second = ":00", fraction = "", offset] = match ?? [];
    const digits = fraction.padEnd(6, "0");
    const local = Date.parse(`${day}T${clock}${second}.${digits.slice(0, 3)}Z`);
    // A Date takes February 30 for March 2.
    if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== day) {
      const shown = JSON.stringify(String(text).slice(0, 80));
      throw new RangeError(`DateTime.fromISO(${shown}): no date-time in ISO 8601`);
    }
    const zone = offset === undefined ? null : offsetOf(offset);
    const microsecond = Number(digits.slice(3));
    return new DateTime(local - (zone ?? 0) * 1000, { microsecond, zone });
  }

  /** A moment in microseconds since 1970 in UTC. */
  static fromMicroseconds(
    microseconds: bigint,
    options: Omit<DateTimeOptions, "microsecond"> = {},
  ): DateTime {
    const microsecond = Number(((microseconds % 1000n) + 1000n) % 1000n);
    const milliseconds = Number((microseconds - BigInt(microsecond)) / 1000n);
    return new DateTime(milliseconds, { ...options, microsecond });
  }

  /** Microseconds behind the milliseconds, 0 to 999; 0 after the Date was set to another moment. */
  get microsecond(): number {
    return this.getTime() === this.#readAt ? this.#microsecond : 0;
  }

  /** Microseconds since 1970 in UTC. @throws RangeError for an invalid Date */
  get epochMicroseconds(): bigint {
    return BigInt(this.getTime()) * 1000n + BigInt(this.microsecond);
  }

  /** Whether it has no zone, so that it names no moment by itself. */
  get isNaive(): boolean {
    return this.zone === null;
  }

  /** Seconds ahead of UTC; null when it is naive. @throws RangeError for a zone that is unknown here */
  get offsetSeconds(): number | null {
    return this.zone === null ? null : offsetAt(this.zone, this);
  }

  /**
   * The clock of its own zone, to the microsecond, as Python's `isoformat()`:
   * `2026-01-02T04:04:05.678901+01:00`. (`toISOString` is in UTC, to the millisecond.)
   */
  toExactISOString(): string {
    const offset = this.offsetSeconds;
    const local = new Date(this.getTime() + (offset ?? 0) * 1000).toISOString();
    const [seconds = "", fraction = ""] = local.slice(0, -1).split(".");
    const digits = fraction + String(this.microsecond).padStart(3, "0");
    return (
      seconds +
      (digits === "000000" ? "" : `.${digits}`) +
      (offset === null ? "" : offsetText(offset))
    );
  }
}

function offsetOf(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (
    text.slice(1).replaceAll(":", "").match(/\d\d/g) ?? []
  ).map(Number);
  return (text.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

markKind(DateTime.prototype, "datetime");
