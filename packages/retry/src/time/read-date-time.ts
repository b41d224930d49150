import { describe, RetryError } from "../errors.ts";
import { civilOfDays, daysOfCivil } from "./civil.ts";

/** The parts of a date-time text: its wall clock as if it were UTC, and the offset. */
export interface DateTimeParts {
  readonly localSeconds: number;
  readonly microsecond: number;
  readonly offsetSeconds: number;
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6}))?)?(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(\[[^\]]*\])?$/;
const OFFSET = /^([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?$/;

/** @throws {@link RetryError} `naive-date`, `bad-date` */
export function readDateTime(text: string): DateTimeParts {
  const found = DATE_TIME.exec(text);
  if (found === null) throw badDate(text);
  const [year, month, day, hour, minute, second] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const zone = found[8];
  if (zone === undefined) {
    throw new RetryError(
      "naive-date",
      `the date ${describe(text)} has no zone; write Z or an offset behind it`,
    );
  }
  const days = checkDate(text, year as number, month as number, day as number);
  if ((hour as number) > 23 || (minute as number) > 59 || (second as number) > 59)
    throw badDate(text);
  return {
    localSeconds:
      days * 86_400 + (hour as number) * 3600 + (minute as number) * 60 + (second as number),
    microsecond: fractionOf(found[7]),
    offsetSeconds: readOffset(text, zone),
  };
}

function checkDate(text: string, year: number, month: number, day: number): number {
  if (year < 1 || month < 1 || month > 12 || day < 1) throw badDate(text);
  const days = daysOfCivil(year, month, day);
  // 31 June comes back as 1 July.
  if (civilOfDays(days).day !== day) throw badDate(text);
  return days;
}

function readOffset(text: string, zone: string): number {
  if (zone === "Z") return 0;
  const [, sign, hours, minutes, seconds] = OFFSET.exec(zone) ?? [];
  if (Number(hours) > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59)
    throw badDate(text);
  const whole = Number(hours) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return sign === "-" && whole !== 0 ? -whole : whole;
}

function fractionOf(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.padEnd(6, "0"));
}

function badDate(text: string): RetryError {
  return new RetryError(
    "bad-date",
    `the date ${describe(text)} can't be read; expected YYYY-MM-DDTHH:MM:SS[.ffffff] with Z or an offset`,
  );
}
