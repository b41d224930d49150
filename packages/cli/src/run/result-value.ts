import { Float, Timestamp, type WireValue } from "@parlance/framing";
import { DateTime, PythonFloat } from "@parlance/results";

/**
 * A value that a task left, as a result store writes it: integers, floats, bytes, date-times and
 * the keys of maps keep their kind. A timestamp loses what is below a microsecond.
 */
export function toResultValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toResultValue);
  if (value instanceof Float) {
    return Number.isInteger(value.value) ? new PythonFloat(value.value) : value.value;
  }
  if (value instanceof Timestamp) return DateTime.parse(value.toISOString());
  if (value instanceof Uint8Array) return value;
  const entries: Iterable<[unknown, unknown]> =
    value instanceof Map ? value : Object.entries(value as Exclude<WireValue, null>);
  const map = new Map<unknown, unknown>();
  for (const [key, item] of entries) map.set(toResultValue(key), toResultValue(item));
  return map;
}
