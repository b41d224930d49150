import { markKind } from "./python-kind.ts";
import { toFloatSeconds } from "./seconds-text.ts";

/** Python's own limit. */
const MAX_MICROSECONDS = 86_399_999_999_999_999_999n;

/** The parts that a {@link Duration} is made of; any may be negative or have a fraction. */
export interface DurationParts {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
  readonly microseconds?: number | bigint;
}

/** A Python `timedelta`: a length of time to the microsecond. In sums it counts as milliseconds. */
export class Duration {
  /** All of it, in microseconds. */
  readonly microseconds: bigint;

  /** @throws RangeError when a part is no number, or the whole beyond Python's 999,999,999 days */
  constructor(parts: DurationParts) {
    const { days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 } = parts;
    const { microseconds = 0 } = parts;
    const total =
      whole(days, 86_400_000_000) +
      whole(hours, 3_600_000_000) +
      whole(minutes, 60_000_000) +
      whole(seconds, 1_000_000) +
      whole(milliseconds, 1000) +
      (typeof microseconds === "bigint" ? microseconds : whole(microseconds, 1));
    if (total > MAX_MICROSECONDS || total < -MAX_MICROSECONDS) {
      throw new RangeError("new Duration(…): longer than Python's 999,999,999 days");
    }
    this.microseconds = total;
  }

  /** A length in milliseconds, such as the difference of two Dates. */
  static fromMs(milliseconds: number): Duration {
    return new Duration({ milliseconds });
  }

  /** All of it in seconds, with its fraction. */
  get totalSeconds(): number {
    return toFloatSeconds(this.microseconds);
  }

  /** All of it in milliseconds, with its fraction. */
  get totalMs(): number {
    return Number(this.microseconds) / 1000;
  }

  /** {@link totalMs}, so that `date.getTime() + +duration` works. */
  valueOf(): number {
    return this.totalMs;
  }

  /** ISO 8601 in seconds: `PT90.5S`. */
  toString(): string {
    const sign = this.microseconds < 0n ? "-" : "";
    const size = this.microseconds < 0n ? -this.microseconds : this.microseconds;
    const fraction = String(size % 1_000_000n)
      .padStart(6, "0")
      .replace(/0+$/, "");
    return `${sign}PT${size / 1_000_000n}${fraction === "" ? "" : `.${fraction}`}S`;
  }

  /** The text of {@link toString}. */
  toJSON(): string {
    return this.toString();
  }
}

function whole(count: number, microsecondsEach: number): bigint {
  if (!Number.isFinite(count)) {
    throw new RangeError(`new Duration(…): ${String(count)} is no finite number`);
  }
  const units = Math.trunc(count);
  return (
    BigInt(units) * BigInt(microsecondsEach) +
    BigInt(Math.round((count - units) * microsecondsEach))
  );
}

markKind(Duration.prototype, "timedelta");
