import { call, type Py } from "../python/expression.ts";
import { textLiteral } from "../python/text-literal.ts";
import { encodedOf, isNumber } from "./json.ts";
import { UnwritableError } from "./unwritable-error.ts";

const DAY_MS = 86_400_000;

/**
 * A point in time, in seconds since 1970, as `pendulum.datetime(…)` on the clocks of a zone.
 *
 * @param zone - an IANA name, or seconds east of Greenwich
 * @throws UnwritableError
 */
export function instant(value: unknown, zone: unknown): Py {
  const encoded = encodedOf(value);
  const given = encoded?.type === "datetime" ? encoded.var : value;
  if (!isNumber(given)) throw new UnwritableError("a date-time that is no number of seconds");
  const seconds = Number(given);
  const micros = Math.round((seconds - Math.floor(seconds)) * 1e6);
  const ms = Math.floor(seconds) * 1000;
  const wall = wallOf(ms, zone);
  const tz = ["tz", zoneLiteral(zone)] as const;
  const isTwice = [-2 * DAY_MS, 2 * DAY_MS].some((far) => {
    const other = wall - offsetAt(ms + far, zone);
    return other !== ms && wallOf(other, zone) === wall;
  });
  if (isTwice || micros === 1e6) return call("pendulum.from_timestamp", String(seconds), tz);
  const date = new Date(wall);
  const year = date.getUTCFullYear();
  if (year < 1 || year > 9999) throw new UnwritableError("a date-time outside the years 1 to 9999");
  const day = [year, date.getUTCMonth() + 1, date.getUTCDate()];
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), micros];
  while (time.at(-1) === 0) time.pop();
  return call("pendulum.datetime", ...[...day, ...time].map(String), tz);
}

/** What a zone is called in Python. */
export function zoneLiteral(zone: unknown): Py {
  if (isNumber(zone)) return call("pendulum.timezone", String(zone));
  return textLiteral(zoneName(zone));
}

function zoneName(zone: unknown): string {
  if (typeof zone !== "string") throw new UnwritableError("a time zone that is no name");
  return zone;
}

/** What a clock on the wall shows, as milliseconds as if it were UTC. */
function wallOf(ms: number, zone: unknown): number {
  return ms + offsetAt(ms, zone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetAt(ms: number, zone: unknown): number {
  if (isNumber(zone)) return Number(zone) * 1000;
  const name = zoneName(zone);
  if (name === "UTC") return 0;
  const parts = new Map(
    formatOf(name)
      .formatToParts(ms)
      .map((part) => [part.type, part.value]),
  );
  const [year, month, day, hour, minute, second] = [
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
  ].map((type) => Number(parts.get(type as Intl.DateTimeFormatPartTypes)));
  const wall = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return wall - Math.floor(ms / 1000) * 1000;
}

function formatOf(name: string): Intl.DateTimeFormat {
  const known = formats.get(name);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(name, format);
    return format;
  } catch {
    throw new UnwritableError(
      `the time zone ${JSON.stringify(name)}, which this Node.js does not know`,
    );
  }
}
