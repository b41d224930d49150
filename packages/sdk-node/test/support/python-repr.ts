import {
  CalendarDate,
  DateTime,
  Decimal,
  Duration,
  FrozenSet,
  TimeZone,
  Tuple,
  Uuid,
} from "@parlance/sdk-node";

/** A decoded value as Python's `repr` shows it; date-times as `isoformat()` does. */
export function pythonRepr(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return `'${value}'`;
  if (value instanceof DateTime) return value.toExactISOString();
  if (value instanceof CalendarDate) {
    return `datetime.date(${value.year}, ${value.month}, ${value.day})`;
  }
  if (value instanceof Duration) return durationRepr(value.microseconds);
  if (value instanceof Decimal) return `Decimal('${value}')`;
  if (value instanceof Uuid) return `UUID('${value}')`;
  if (value instanceof TimeZone) return String(value);
  if (value instanceof Set) {
    const items = listRepr([...value]);
    const set = value.size === 0 ? "set()" : `{${items}}`;
    return value instanceof FrozenSet ? `frozenset(${set})` : set;
  }
  if (value instanceof Tuple) return `(${listRepr(value)}${value.length === 1 ? "," : ""})`;
  if (Array.isArray(value)) return `[${listRepr(value)}]`;
  if (typeof value !== "object") return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `'${key}': ${pythonRepr(item)}`)
    .join(", ")}}`;
}

function listRepr(items: readonly unknown[]): string {
  return items.map(pythonRepr).join(", ");
}

/** Python counts days, seconds and microseconds, of which only the days may be negative. */
function durationRepr(total: bigint): string {
  const perDay = 86_400_000_000n;
  const ofDay = ((total % perDay) + perDay) % perDay;
  const parts: [string, bigint][] = [
    ["days", (total - ofDay) / perDay],
    ["seconds", ofDay / 1_000_000n],
    ["microseconds", ofDay % 1_000_000n],
  ];
  const shown = parts
    .filter(([, count]) => count !== 0n)
    .map(([name, count]) => `${name}=${count}`);
  return `datetime.timedelta(${shown.length === 0 ? "0" : shown.join(", ")})`;
}
