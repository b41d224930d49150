import { markKind } from "./python-kind.ts";

const PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$|^[+-]?(?:inf(?:inity)?|s?nan\d*)$/i;
const MAX_CHARACTERS = 100_000;

/**
 * A Python `Decimal`, as its text: it does no arithmetic. Hand `text` to a decimal library, or take
 * {@link toNumber} where a float is good enough.
 */
export class Decimal {
  /** As it was written: `1.10`, `1E+3`, `NaN`. */
  readonly text: string;

  /**
   * @param value - text of a decimal number, at most 100,000 characters; or a number or bigint
   * @throws RangeError for anything else
   */
  constructor(value: string | number | bigint) {
    const text = String(value).trim();
    if (text.length > MAX_CHARACTERS || !PATTERN.test(text)) {
      const shown = JSON.stringify(text.slice(0, 80));
      throw new RangeError(`new Decimal(${shown}): expected a decimal number such as 1.10`);
    }
    this.text = text;
  }

  /** The nearest float. */
  toNumber(): number {
    const match = /^([+-]?)(?:(inf)|s?(nan))/i.exec(this.text);
    if (match === null) return Number(this.text);
    if (match[2] === undefined) return Number.NaN;
    return match[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  toString(): string {
    return this.text;
  }

  /** The text; a number would lose digits. */
  toJSON(): string {
    return this.text;
  }
}

markKind(Decimal.prototype, "decimal");
