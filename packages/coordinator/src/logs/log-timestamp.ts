/** What most runtimes write; it comes out unchanged. A 29 February takes the longer way. */
const USUAL_DAY =
  "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)";
const USUAL = new RegExp(
  `^[12]\\d{3}-${USUAL_DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{6}Z$`,
);

/** In characters. Of some million digits a regular expression runs out of stack. */
const MAX_LENGTH = 1_000;

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|([+-])(\d\d):?(\d\d))?$/;

/**
 * Writes a record's time stamp as stock Airflow writes it into a task log: six digits of a second or
 * none, `Z` for UTC, another offset as it was, no zone where there was none. Finer digits are rounded.
 * Undefined for what stock refuses.
 */
export function normaliseLogTimestamp(text: string): string | undefined {
  // Nothing to do, and quickly: this is asked for every line.
  if (USUAL.test(text)) return text;
  if (text.length > MAX_LENGTH) return undefined;
  const parts = RFC_3339.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second);
  if (!isCalendarTime(year, month, day, hour, minute, second)) return undefined;

  const zone = writeZone(parts[8], parts[9], parts[10], parts[11]);
  if (zone === undefined) return undefined;
  const microseconds = Math.round(Number(`0.${parts[7] ?? "0"}`) * 1_000_000);
  // A second that rounds up carries into the minute, and so on: the date arithmetic does it.
  const carried = milliseconds + (microseconds === 1_000_000 ? 1_000 : 0);
  const whole = new Date(carried).toISOString().slice(0, 19);
  const fraction = microseconds % 1_000_000;
  return `${whole}${fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`}${zone}`;
}

type Six = [number, number, number, number, number, number];

function isCalendarTime(...[year, month, day, hour, minute, second]: Six): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  if (hour > 23 || minute > 59 || second > 59) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

function writeZone(
  zone: string | undefined,
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): string | undefined {
  if (zone === undefined) return "";
  if (sign === undefined) return "Z";
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return hours === "00" && minutes === "00" ? "Z" : `${sign}${hours}:${minutes}`;
}
