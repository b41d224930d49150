import { Float } from "@parlance/framing";
import { CalendarDate } from "./calendar-date.ts";
import { DateTime } from "./date-time.ts";
import { Decimal } from "./decimal.ts";
import { Duration } from "./duration.ts";
import { PythonObject } from "./python-object.ts";
import { fromFloatSeconds } from "./seconds-text.ts";
import { TimeZone, type Zone } from "./time-zone.ts";
import { FrozenSet, Tuple } from "./tuple.ts";
import { Uuid } from "./uuid.ts";

type Unwrap = (data: unknown, version: number, className: string) => unknown;

/** Airflow's own classes of zones, of which only the data counts. */
const unwrapZone: Unwrap = (data, version) => {
  demandVersion(version, 1);
  if (typeof data === "string" || typeof data === "number") return new TimeZone(data);
  throw new TypeError(`its data is ${kindOf(data)}, expected a name or an offset`);
};

const unwrapDateTime: Unwrap = (data, version, className) => {
  const isPendulum = className !== "datetime.datetime";
  if (typeof data === "number" && !isPendulum) return fromSeconds(data, { zone: "UTC" });
  if (!isFields(data)) throw new TypeError(`its data is ${kindOf(data)}, expected a timestamp`);
  const { timestamp } = data;
  const seconds =
    typeof timestamp === "string" || isFloat(timestamp) ? Number(timestamp) : timestamp;
  if (typeof seconds !== "number") throw new TypeError("it has no timestamp");
  const zone = version === 1 ? oldZone(data["tz"]) : zoneOf(data["tz"]);
  return fromSeconds(seconds, { zone, isPendulum });
};

const unwrapDate: Unwrap = (data) => CalendarDate.parse(String(data));

const UNWRAPS: ReadonlyMap<string, Unwrap> = new Map<string, Unwrap>([
  ["builtins.tuple", (data, version) => Tuple.from(itemsOf(data, version))],
  ["builtins.set", (data, version) => new Set(itemsOf(data, version))],
  ["builtins.frozenset", (data, version) => new FrozenSet(itemsOf(data, version))],
  ["datetime.datetime", unwrapDateTime],
  ["pendulum.datetime.DateTime", unwrapDateTime],
  ["datetime.date", unwrapDate],
  ["pendulum.date.Date", unwrapDate],
  ["datetime.timedelta", (data) => unwrapDuration(data)],
  ["decimal.Decimal", (data, version) => unwrapDecimal(data, version)],
  ["uuid.UUID", (data) => new Uuid(String(data))],
  ["pendulum.tz.timezone.FixedTimezone", unwrapZone],
  ["pendulum.tz.timezone.Timezone", unwrapZone],
  ["zoneinfo.ZoneInfo", unwrapZone],
]);

/** The scalars of numpy, which JavaScript has no more types for than for Python's. */
const NUMPY_SCALAR = /^numpy\.(?:u?int(?:8|16|32|64)|float(?:16|32|64)|bool_?)$/;

/**
 * What one wrapper stands for.
 *
 * @param data - with what was wrapped in it taken out already
 * @throws Error saying why it is none
 */
export function unwrapPython(className: string, version: number, data: unknown): unknown {
  const unwrap = UNWRAPS.get(className);
  if (isFloat(data)) return unwrapPython(className, version, data.value);
  if (unwrap !== undefined) return unwrap(data, version, className);
  if (NUMPY_SCALAR.test(className)) return data;
  return new PythonObject(className, version, data);
}

function demandVersion(version: number, newest: number): void {
  if (version <= newest) return;
  throw new RangeError(`its version is ${version}, and ${newest} is the newest that is known`);
}

function itemsOf(data: unknown, version: number): Iterable<unknown> {
  demandVersion(version, 1);
  if (Array.isArray(data) || typeof data === "string" || data instanceof Set) {
    return data as Iterable<unknown>;
  }
  throw new TypeError(`its data is ${kindOf(data)}, expected a list`);
}

function unwrapDuration(data: unknown): Duration {
  const seconds = typeof data === "string" && data.trim() !== "" ? Number(data) : data;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) {
    throw new TypeError(`its data is ${kindOf(data)}, expected seconds`);
  }
  return new Duration({ microseconds: fromFloatSeconds(seconds) });
}

function unwrapDecimal(data: unknown, version: number): Decimal {
  demandVersion(version, 1);
  if (typeof data === "number" || typeof data === "bigint" || typeof data === "string") {
    return new Decimal(data);
  }
  throw new TypeError(`its data is ${kindOf(data)}, expected a number`);
}

function fromSeconds(
  seconds: number,
  options: { readonly zone: Zone | null; readonly isPendulum?: boolean },
): DateTime {
  if (!Number.isFinite(seconds)) throw new RangeError(`its timestamp is ${seconds}`);
  const date = DateTime.fromMicroseconds(fromFloatSeconds(seconds), options);
  if (Number.isNaN(date.getTime())) throw new RangeError("no Date reaches that far");
  return date;
}

/** The zone of a tuple of name, class, version and whether it was understood. */
function zoneOf(tz: unknown): Zone | null {
  if (tz === null || tz === undefined) return null;
  if (!Array.isArray(tz)) throw new TypeError(`its zone is ${kindOf(tz)}, expected a tuple`);
  const [zone, , , isUnderstood] = tz as readonly unknown[];
  // Python writes an offset of its own kind as ["", "", 0, false]. The moment is right all the same.
  if (isUnderstood === false) return "UTC";
  if (typeof zone === "string" || typeof zone === "number") return zone;
  throw new TypeError("its zone has no name and no offset");
}

/** Names that version 1 wrote and no database of zones has. */
const OLD_ZONES: ReadonlyMap<unknown, Zone> = new Map<unknown, Zone>([
  ["EDT", -4 * 3600],
  ["CDT", -5 * 3600],
  ["MDT", -6 * 3600],
  ["PDT", -7 * 3600],
  ["CEST", "CET"],
]);

function oldZone(tz: unknown): Zone | null {
  if (tz === null || tz === undefined) return null;
  const zone = OLD_ZONES.get(tz) ?? tz;
  if (typeof zone === "string" || typeof zone === "number") return zone;
  throw new TypeError(`its zone is ${kindOf(tz)}, expected a name or an offset`);
}

function isFields(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** What was just encoded has its floats marked; what comes from Airflow does not. */
function isFloat(value: unknown): value is Float {
  return value instanceof Float;
}
