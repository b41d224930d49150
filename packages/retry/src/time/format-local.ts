import { civilOfDays } from "./civil.ts";

const SECONDS_PER_DAY = 86_400;
// Looked up: making them anew took half of the time of a date.
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, value) =>
  String(value).padStart(2, "0"),
);

/** The parts of an instant that its text shows. */
export interface LocalTime {
  /** Since 1970 of the wall clock, in seconds. */
  readonly localSeconds: number;
  readonly microsecond: number;
  readonly offsetSeconds: number;
}

/**
 * The text of Python's `str(datetime)` with `separator` in its middle; the fraction is left out when it is zero,
 * unless `fraction` asks for it.
 */
export function formatLocal(time: LocalTime, separator: "T" | " ", fraction: boolean): string {
  const { localSeconds, microsecond, offsetSeconds } = time;
  const days = Math.floor(localSeconds / SECONDS_PER_DAY);
  const { year, month, day } = civilOfDays(days);
  const century = Math.floor(year / 100);
  const date = `${two(century)}${two(year - century * 100)}-${two(month)}-${two(day)}`;
  const rest = microsecond > 0 || fraction ? `.${String(microsecond).padStart(6, "0")}` : "";
  const offset = offsetSeconds === 0 ? "+00:00" : formatOffset(offsetSeconds);
  return `${date}${separator}${clock(localSeconds - days * SECONDS_PER_DAY)}${rest}${offset}`;
}

function formatOffset(offsetSeconds: number): string {
  const time = clock(Math.abs(offsetSeconds));
  const text = time.endsWith(":00") ? time.slice(0, 5) : time;
  return `${offsetSeconds < 0 ? "-" : "+"}${text}`;
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${two(hours)}:${two(minutes - hours * 60)}:${two(seconds - minutes * 60)}`;
}

function two(value: number): string {
  return TWO_DIGITS[value] as string;
}
