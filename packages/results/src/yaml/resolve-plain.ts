import { MOST_INT_DIGITS } from "../serializers/limits.ts";
import { CalendarDate } from "../values/calendar-date.ts";
import { DateTime } from "../values/date-time.ts";

/** What PyYAML takes a plain (unquoted) text for. */
export type PlainKind = "null" | "bool" | "int" | "float" | "timestamp" | "merge" | "value" | "str";

const NULL = /^(?:~|null|Null|NULL|)$/;
const BOOL = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const INT = /^[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][\d_]*|0x[\da-fA-F_]+|[1-9][\d_]*(?::[0-5]?\d)+)$/;
const FLOAT =
  /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(Z|([-+])(\d\d?)(?::(\d\d))?))?)?$/;
const MOST_SEXAGESIMAL = 1000;

/** The type of a plain text by the rules of YAML 1.1 as PyYAML has them; `y`, `n`, `1e3` are text. */
export function kindOfPlain(text: string): PlainKind {
  if (NULL.test(text)) return "null";
  if (BOOL.test(text)) return "bool";
  if (FLOAT.test(text)) return "float";
  if (INT.test(text)) return "int";
  if (DATE.test(text) || (TIMESTAMP.test(text) && text.includes(":"))) return "timestamp";
  if (text === "<<") return "merge";
  return text === "=" ? "value" : "str";
}

/** @throws RangeError for a text that is none of its kind */
export function readBool(text: string): boolean {
  if (!BOOL.test(text)) throw new RangeError("a !!bool that is none");
  return /^(?:yes|true|on)$/i.test(text);
}

/** @throws RangeError */
export function readInt(given: string): number | bigint {
  const text = given.replaceAll("_", "");
  const sign = text.startsWith("-") ? -1n : 1n;
  const digits = text.replace(/^[-+]/, "");
  if (!INT.test(given) || digits === "0b" || digits === "0x") {
    throw new RangeError("an int that is none");
  }
  return narrow(sign * magnitude(digits));
}

/** @throws RangeError */
export function readFloat(given: string): number {
  const text = given.replaceAll("_", "").toLowerCase();
  const sign = text.startsWith("-") ? -1 : 1;
  const size = text.replace(/^[-+]/, "");
  if (size === ".inf") return sign * Number.POSITIVE_INFINITY;
  if (size === ".nan") return Number.NaN;
  if (size.includes(":")) return sign * sexagesimal(size);
  if (!/^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/.test(size))
    throw new RangeError("a float that is none");
  return sign * Number(size);
}

/** @throws RangeError */
export function readTimestamp(text: string): CalendarDate | DateTime {
  const match = TIMESTAMP.exec(text);
  if (match === null) throw new RangeError("a timestamp that is none");
  const [, year, month, day, hour, minute, second, fraction = "", zone, sign, hours, minutes] =
    match;
  if (hour === undefined) return new CalendarDate(Number(year), Number(month), Number(day));
  const minutesEast = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  const offset = (sign === "-" ? -minutesEast : minutesEast) * 60_000_000;
  return new DateTime({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microsecond: Number(fraction.slice(0, 6).padEnd(6, "0")),
    offsetMicroseconds: zone === undefined ? null : offset === 0 ? 0 : offset,
  });
}

function magnitude(digits: string): bigint {
  if (/^0[bx]/.test(digits)) return BigInt(digits);
  if (/^0./.test(digits)) return BigInt(`0o${digits.slice(1)}`);
  if (digits.includes(":")) {
    if (digits.length > MOST_SEXAGESIMAL)
      throw new RangeError("an int to base 60 that is too long");
    return digits.split(":").reduce((sum, digit) => sum * 60n + BigInt(digit), 0n);
  }
  if (digits.length > MOST_INT_DIGITS) {
    throw new RangeError(`an int of more than ${MOST_INT_DIGITS} digits, which Python refuses`);
  }
  return BigInt(digits);
}

/** Summed from the last part on, so that the rounding is Python's. */
function sexagesimal(text: string): number {
  let base = 1;
  let sum = 0;
  for (const part of text.split(":").reverse()) {
    sum += Number(part) * base;
    base *= 60;
  }
  return sum;
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
