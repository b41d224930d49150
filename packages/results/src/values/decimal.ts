const NUMBER = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;
const SPECIAL = /^([+-]?)(?:(inf)(?:inity)?|(s?nan)(\d*))$/i;
/** Python's own bounds of an exponent on 64-bit machines. */
const MOST_EXPONENT = 999_999_999_999_999_999n;
const MOST_CHARACTERS = 100_000;

/**
 * A Python `Decimal`, kept as the text that Python's `str` gives: `1.10`, `1E+30`, `NaN`. It does
 * no arithmetic: hand the text to a decimal library of your choice.
 */
export class Decimal {
  /** As Python writes it. */
  readonly text: string;

  /**
   * @param text digits as Python's `Decimal(text)` reads them: a sign, a point, an exponent,
   *   underscores, white space around; `Infinity`, `NaN`, `sNaN`. At most 100,000 characters
   * @throws RangeError for anything else
   */
  constructor(text: string) {
    const canonical = typeof text === "string" ? canonicalText(text) : undefined;
    if (canonical === undefined) {
      const shown = typeof text === "string" ? JSON.stringify(text.slice(0, 100)) : typeof text;
      throw new RangeError(`new Decimal(${shown}): expected the text of a decimal number`);
    }
    this.text = canonical;
  }

  toString(): string {
    return this.text;
  }

  /** The text; a number would lose digits. */
  toJSON(): string {
    return this.text;
  }
}

function canonicalText(given: string): string | undefined {
  if (given.length > MOST_CHARACTERS) return undefined;
  const text = given.trim().replaceAll("_", "");
  const special = SPECIAL.exec(text);
  if (special !== null) return specialText(special);
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = match[4] ?? "", , exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  if (exponent.replace(/^[+-]?0*/, "").length > 18) return undefined;
  const power = BigInt(exponent) - BigInt(fraction.length);
  const adjusted = power + BigInt(digits.length) - 1n;
  const isWithin = adjusted <= MOST_EXPONENT && power >= -2n * MOST_EXPONENT + 1n;
  return isWithin ? (sign === "-" ? "-" : "") + layOut(digits, power, adjusted) : undefined;
}

/** The General Decimal Arithmetic rule: an exponent for positive powers and below 1E-6. */
function layOut(digits: string, power: bigint, adjusted: bigint): string {
  if (power > 0n || adjusted < -6n) {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    return `${mantissa}E${adjusted < 0n ? "" : "+"}${adjusted}`;
  }
  if (power === 0n) return digits;
  const point = digits.length + Number(power);
  return point > 0
    ? `${digits.slice(0, point)}.${digits.slice(point)}`
    : `0.${"0".repeat(-point)}${digits}`;
}

function specialText([, sign, infinity, nan = "", payload = ""]: RegExpExecArray): string {
  const minus = sign === "-" ? "-" : "";
  if (infinity !== undefined) return `${minus}Infinity`;
  return `${minus}${nan.length === 4 ? "sNaN" : "NaN"}${payload.replace(/^0+/, "")}`;
}
