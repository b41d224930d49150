import { toExactJson } from "@parlance/coordinator";
import { Timestamp } from "@parlance/framing";

/** Fields that hold the moment of the run: no two runs have them in common. */
const MOMENTS = new Set(["end_date", "start_date", "timestamp", "expires_at"]);
const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d*?)0*)?(?:Z|\+00:00)$/;

/** A wire value as JSON, nothing lost; date-times as text, as the API has them. */
export function exact(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Timestamp) return value.toISOString();
  if (Array.isArray(value)) return value.map(exact);
  if (value === null || typeof value !== "object") return toExactJson(value);
  if (value.constructor !== Object && Object.getPrototypeOf(value) !== null)
    return toExactJson(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exact(inner)]));
}

/** {@link exact}, without what is null, date-times written alike, and with "a moment" for moments. */
export function comparable(value: unknown): unknown {
  return plain(exact(value));
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "string") {
    return value.replace(DATE_TIME, (_, whole, part = "") => `${whole}${part && `.${part}`}Z`);
  }
  if (value === null || typeof value !== "object") return value;
  const there = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    there.map(([key, inner]) => [key, MOMENTS.has(key) ? "a moment" : plain(inner)]),
  );
}
