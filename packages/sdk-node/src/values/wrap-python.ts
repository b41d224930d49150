import { Float, Timestamp } from "@parlance/framing";
import type { CalendarDate } from "./calendar-date.ts";
import type { DateTime } from "./date-time.ts";
import type { Decimal } from "./decimal.ts";
import type { Duration } from "./duration.ts";
import { encodeList } from "./encode-list.ts";
import { type Envelope, envelope } from "./envelope.ts";
import { type PythonKind, pythonKind } from "./python-kind.ts";
import type { PythonObject } from "./python-object.ts";
import { refused, type Walk } from "./refused-value.ts";
import { toFloatSeconds } from "./seconds-text.ts";
import { isKnownZone, type TimeZone, type Zone } from "./time-zone.ts";
import type { Tuple } from "./tuple.ts";
import type { Uuid } from "./uuid.ts";

const MIN_SECONDS = -62_135_596_800;
/** The year 10000: Python ends before it. */
const END_SECONDS = 253_402_300_800;
const FIXED_ZONE = "pendulum.tz.timezone.FixedTimezone";
const PENDULUM_ZONE = "pendulum.tz.timezone.Timezone";
const PYTHON_ZONE = "zoneinfo.ZoneInfo";

/** A value of one of this package's own classes, wrapped. */
export function wrapPython(
  value: object,
  kind: Exclude<PythonKind, "datetime" | "frozenset">,
  walk: Walk,
): Envelope {
  switch (kind) {
    case "tuple":
      return envelope("builtins.tuple", 1, [...encodeList(value as Tuple, walk)]);
    case "date":
      return envelope("datetime.date", 2, (value as CalendarDate).toString());
    case "timedelta":
      // Airflow 3.3.2 reads no whole number here.
      return envelope("datetime.timedelta", 2, new Float((value as Duration).totalSeconds));
    case "decimal":
      return envelope("decimal.Decimal", 1, decimalData((value as Decimal).text));
    case "uuid":
      return envelope("uuid.UUID", 1, (value as Uuid).text);
    case "timezone":
      return wrapZone((value as TimeZone).zone, walk);
    case "object":
      return wrapObject(value as PythonObject, walk);
  }
}

/** A moment: of a Date in UTC, of a DateTime in its own zone. */
export function wrapDate(date: Date, walk: Walk): Envelope {
  if (Number.isNaN(date.getTime())) {
    throw refused(walk, walk.path, "an invalid Date", "a Date that is one");
  }
  // Milliseconds divided are the nearest float too, and quicker than by way of the microseconds.
  if (pythonKind(date) !== "datetime") {
    return wrapMoment(date.getTime() / 1000, "UTC", "datetime.datetime", walk);
  }
  const { epochMicroseconds, zone, isPendulum } = date as DateTime;
  const className = isPendulum ? "pendulum.datetime.DateTime" : "datetime.datetime";
  return wrapMoment(toFloatSeconds(epochMicroseconds), zone, className, walk);
}

/** The exact dates of the context. */
export function wrapTimestamp(moment: Timestamp, walk: Walk): Envelope {
  if (moment.nanoseconds % 1000 !== 0) {
    const expected = "whole microseconds: Python's datetime has no nanoseconds";
    throw refused(walk, walk.path, moment.toISOString(), expected);
  }
  const microseconds = moment.seconds * 1_000_000n + BigInt(moment.nanoseconds / 1000);
  return wrapMoment(toFloatSeconds(microseconds), "UTC", "datetime.datetime", walk);
}

function wrapMoment(seconds: number, zone: Zone | null, className: string, walk: Walk): Envelope {
  if (seconds < MIN_SECONDS || seconds >= END_SECONDS) {
    const expected = "one of the years 1 to 9999, the ones that Python has";
    throw refused(walk, walk.path, "a Date of another age", expected);
  }
  const tz = zone === null ? null : zoneTuple(zone, className.startsWith("pendulum."), walk);
  return envelope(className, 2, { timestamp: new Float(seconds), tz });
}

function zoneTuple(zone: Zone, isPendulum: boolean, walk: Walk): Envelope {
  const { __classname__: className, __data__: data } = wrapZone(zone, walk);
  const own = isPendulum && typeof data === "string" ? PENDULUM_ZONE : className;
  return envelope("builtins.tuple", 1, [data, own, 1, true]);
}

function wrapZone(zone: Zone, walk: Walk): Envelope {
  // 0 would become +00:00 in Python, which is not UTC there.
  if (zone === "UTC" || zone === 0) return envelope(FIXED_ZONE, 1, "UTC");
  if (typeof zone === "number") return envelope(FIXED_ZONE, 1, zone);
  if (isKnownZone(zone)) return envelope(PYTHON_ZONE, 1, zone);
  const got = `the time zone ${JSON.stringify(zone)}`;
  throw refused(walk, walk.path, got, "one that there is, such as Europe/Paris");
}

/** A number where Python reads the same digits from it, else the text, which it reads as well. */
function decimalData(text: string): unknown {
  if (/^-?(?:0|[1-9]\d{0,17})$/.test(text) && text !== "-0") return BigInt(text);
  return String(Number(text)) === text && /\.\d/.test(text) ? Number(text) : text;
}

function wrapObject({ className, version, data }: PythonObject, walk: Walk): Envelope {
  if (typeof className !== "string" || className === "" || !Number.isSafeInteger(version)) {
    const expected = "a class name and an integer as its version";
    throw refused(walk, walk.path, "a PythonObject without them", expected);
  }
  walk.path.push("data");
  const encoded = walk.encode(data, walk);
  walk.path.pop();
  return envelope(className, version, encoded);
}

/** A Set whose elements Python can hash and tells apart. */
export function wrapSet(set: ReadonlySet<unknown>, walk: Walk): Envelope {
  const numbers = new Set<number | bigint>();
  for (const item of set) {
    checkHashable(item, walk);
    const number =
      typeof item === "boolean" ? Number(item) : item instanceof Float ? item.value : item;
    if (typeof number !== "number" && typeof number !== "bigint") continue;
    const isInteger = typeof number === "number" && Number.isInteger(number);
    const key = isInteger ? BigInt(number) : number;
    if (numbers.has(key)) {
      const expected = "elements that differ: in a set of Python, true, 1 and 1.0 are the same";
      throw refused(walk, walk.path, `a Set with ${String(number)} twice`, expected);
    }
    numbers.add(key);
  }
  const className = pythonKind(set) === "frozenset" ? "builtins.frozenset" : "builtins.set";
  return envelope(className, 1, encodeList([...set], walk));
}

function checkHashable(item: unknown, walk: Walk): void {
  if (typeof item !== "object" || item === null || item instanceof Float) return;
  const kind = pythonKind(item);
  if (kind === "tuple") for (const part of item as Tuple) checkHashable(part, walk);
  else if (kind === undefined && !(item instanceof Date) && !(item instanceof Timestamp)) {
    const got = `a Set with ${Array.isArray(item) ? "an array" : "an object"} in it`;
    const expected =
      "elements that Python can hash: numbers, text, dates, Tuple.of(…), a FrozenSet";
    throw refused(walk, walk.path, got, expected);
  }
}
