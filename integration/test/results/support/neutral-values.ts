import { CalendarDate, DateTime, Decimal, PythonFloat, TimeOfDay, Uuid } from "@parlance/results";
import { fromHex, toHex } from "@parlance/test-kit";

/** A Python value in a form that both languages build on their own, without a serializer. */
export type Neutral =
  | null
  | boolean
  | string
  | { readonly i: string }
  /** The eight bytes of a float. */
  | { readonly f: string }
  | { readonly l: readonly Neutral[] }
  | { readonly d: readonly (readonly [Neutral, Neutral])[] }
  | { readonly set: readonly Neutral[] }
  | { readonly b: string }
  | { readonly dt: string }
  | { readonly date: string }
  | { readonly time: string }
  | { readonly dec: string }
  | { readonly uuid: string };

/** The JavaScript value that is written for a Python value. */
export function fromNeutral(neutral: Neutral): unknown {
  if (neutral === null || typeof neutral !== "object") return neutral;
  if ("i" in neutral) return integer(neutral.i);
  if ("f" in neutral) return float(neutral.f);
  if ("l" in neutral) return neutral.l.map(fromNeutral);
  if ("d" in neutral) return dict(neutral.d);
  if ("set" in neutral) return new Set(neutral.set.map(fromNeutral));
  if ("b" in neutral) return fromHex(neutral.b);
  if ("dt" in neutral) return DateTime.parse(neutral.dt);
  if ("date" in neutral) return CalendarDate.parse(neutral.date);
  if ("time" in neutral) return TimeOfDay.parse(neutral.time);
  if ("dec" in neutral) return new Decimal(neutral.dec);
  return new Uuid(neutral.uuid);
}

/** The neutral form of a value that was read with `wrapFloats` and `keepKeyOrder`. */
export function toNeutral(value: unknown): Neutral {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return { i: String(value) };
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? { i: String(value) }
      : { f: floatHex(value) };
  }
  if (value instanceof PythonFloat) return { f: floatHex(value.value) };
  if (Array.isArray(value)) return { l: value.map(toNeutral) };
  if (value instanceof Uint8Array) return { b: toHex(value) };
  if (value instanceof Set) return { set: [...value].map(toNeutral) };
  if (value instanceof DateTime) return { dt: String(value) };
  if (value instanceof CalendarDate) return { date: String(value) };
  if (value instanceof TimeOfDay) return { time: String(value) };
  if (value instanceof Decimal) return { dec: String(value) };
  if (value instanceof Uuid) return { uuid: value.hex };
  const entries = value instanceof Map ? [...value] : Object.entries(value as object);
  return { d: entries.map(([key, item]) => [toNeutral(key), toNeutral(item)]) };
}

/** The same value with its dicts and sets in a fixed order, for a serializer that sorts. */
export function sorted(neutral: Neutral): Neutral {
  if (neutral === null || typeof neutral !== "object") return neutral;
  if ("l" in neutral) return { l: neutral.l.map(sorted) };
  if ("set" in neutral) return { set: byText(neutral.set.map(sorted)) };
  if (!("d" in neutral)) return neutral;
  return { d: byText(neutral.d.map(([key, value]) => [sorted(key), sorted(value)] as const)) };
}

/** The bytes of a float in hex; every NaN is the one that Python writes. */
export function floatHex(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return Number.isNaN(value) ? "7ff8000000000000" : bytes.toString("hex");
}

function byText<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item);
}

function integer(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

function float(hex: string): number | PythonFloat {
  const value = Buffer.from(hex, "hex").readDoubleBE();
  return Number.isSafeInteger(value) ? new PythonFloat(value) : value;
}

function dict(entries: readonly (readonly [Neutral, Neutral])[]): unknown {
  const pairs = entries.map(([key, value]) => [fromNeutral(key), fromNeutral(value)] as const);
  const isObject = pairs.every(([key]) => typeof key === "string" && !/^\d+$/.test(key));
  return isObject ? Object.fromEntries(pairs) : new Map(pairs);
}
