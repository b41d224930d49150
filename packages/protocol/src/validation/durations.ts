import { isNumber, numeric } from "./wire-kinds.ts";

// Durations as stock Airflow reads them (pydantic 2.14, run): ISO 8601 text, clock text such as
// `00:00:30` or `1 day, 00:30`, or a number of seconds.

// Only the last count may have decimals.
const ISO =
  /^([+-]?)P(?=.)((?:\d+(?:[.,]\d*(?=.T?$))?[YMWD])*)(?:T((?:\d+(?:[.,]\d*(?=.$))?[HMS])*))?$/;
const ISO_PART = /(\d+)(?:[.,](\d*))?([YMWDHS])/g;
// `0:00:30`, as Python prints a time span, but not `0:30`: five characters at least.
const TIME = "(?=.{5})(\\d*):([0-5]\\d)(?::([0-5]\\d)(?:[.,](\\d+))?)?";
const CLOCK = new RegExp(`^([+-]?)${TIME}$`);
const DAYS = new RegExp(`^([+-]?)(\\d+) ?(?:[dD]|[dD]ays?|[dD]AYS?)(?:,? ?|(?:,? ?)${TIME})$`);

/** Longer text is no duration anyone writes; the limit keeps the check's time flat. */
const MAX_LENGTH = 64;

const DAY = 86_400;
const DATE_UNITS: Readonly<Record<string, number>> = {
  Y: 365 * DAY,
  M: 30 * DAY,
  W: 7 * DAY,
  D: DAY,
};
const TIME_UNITS: Readonly<Record<string, number>> = { H: 3_600, M: 60, S: 1 };

/** A count of days, or of seconds in hours, minutes or seconds, goes up to here. */
const MAX_COUNT = 2 ** 32 - 1;
const MAX_CLOCK_HOURS = 2_400_000_000;
const MICROSECONDS = 1_000_000n;

/** Python's limits of a time span: both ends of 999,999,999 days, one of them not included. */
const MIN_MICROSECONDS = -999_999_999n * BigInt(DAY) * MICROSECONDS;
const MAX_MICROSECONDS = 1_000_000_000n * BigInt(DAY) * MICROSECONDS - 1n;

/** True for what {@link durationMicroseconds} reads. */
export function isDuration(value: unknown): boolean {
  return durationMicroseconds(value) !== undefined;
}

/** The length of a duration, rounded as stock does it; undefined for what is none. */
export function durationMicroseconds(value: unknown): bigint | undefined {
  const read = typeof value === "string" ? fromText(value) : fromNumber(value);
  if (read === undefined || read < MIN_MICROSECONDS || read > MAX_MICROSECONDS) return undefined;
  return read;
}

function fromNumber(value: unknown): bigint | undefined {
  if (!isNumber(value)) return undefined;
  if (typeof value === "bigint") return value * MICROSECONDS;
  const number = numeric(value);
  const whole = Math.trunc(number);
  return signed(
    number < 0 ? "-" : "",
    BigInt(Math.abs(whole)) * MICROSECONDS + rounded(Math.abs(number - whole)),
  );
}

function fromText(text: string): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const iso = ISO.exec(text);
  if (iso !== null) return fromIso(iso);
  const clock = CLOCK.exec(text);
  if (clock !== null) {
    const [, sign, ...time] = clock;
    return Number(time[0]) > MAX_CLOCK_HOURS ? undefined : signed(sign, ofTime(time));
  }
  const [, sign, days, ...time] = DAYS.exec(text) ?? [];
  // Beside days the hours of a clock are those of one day.
  if (days === undefined || Number(days) > MAX_COUNT || Number(time[0] ?? 0) > 23) return undefined;
  return signed(sign, BigInt(days) * BigInt(DAY) * MICROSECONDS + ofTime(time));
}

/** Decimals beyond six are cut off here, but rounded in ISO text and numbers. */
function ofTime([hours, minutes, seconds, decimals]: readonly (string | undefined)[]): bigint {
  const whole = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return BigInt(whole) * MICROSECONDS + BigInt((decimals ?? "").padEnd(6, "0").slice(0, 6));
}

function fromIso([, sign, date = "", time]: RegExpExecArray): bigint | undefined {
  if (date === "" && (time ?? "") === "") return undefined;
  const [days, seconds] = [sum(date, DATE_UNITS, DAY), sum(time ?? "", TIME_UNITS, 1)];
  return days === undefined || seconds === undefined ? undefined : signed(sign, days + seconds);
}

function sum(
  text: string,
  units: Readonly<Record<string, number>>,
  base: number,
): bigint | undefined {
  let total = 0n;
  for (const [, count, decimals, unit = ""] of text.matchAll(ISO_PART)) {
    const seconds = units[unit] ?? 0;
    if ((Number(count) * seconds) / base > MAX_COUNT) return undefined;
    total += BigInt(Number(count) * seconds) * MICROSECONDS;
    total += rounded(Number(`0.${decimals ?? 0}`) * seconds);
  }
  return total;
}

function rounded(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e6));
}

function signed(sign: string | undefined, microseconds: bigint): bigint {
  return sign === "-" ? -microseconds : microseconds;
}
