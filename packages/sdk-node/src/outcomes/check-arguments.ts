import { InvalidRequestError } from "../errors.ts";

/** A thousand years: more is a mistake, and Python's durations end soon after. */
const MAX_DURATION_MS = 1000 * 366 * 86_400_000;

/** Refuses an argument. @param path - JSON pointer in the call's argument, "" for all of it */
export function refuse(call: string, path: string, value: unknown, expected: string): never {
  const place = path === "" ? "its argument" : path.slice(1).replaceAll("/", ".");
  const message = `${call}: ${place} is ${kindOf(value)}, expected ${expected}`;
  throw new InvalidRequestError("invalid-request", path, message);
}

/** An object with named values: no array, no Date, no class of another kind. */
export function checkRecord(
  call: string,
  path: string,
  value: unknown,
  expected: string,
): asserts value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date)
    refuse(call, path, value, expected);
}

/** The text, checked to be there. */
export function textOf(call: string, path: string, value: unknown, expected: string): string {
  if (typeof value !== "string" || value === "") refuse(call, path, value, expected);
  return value;
}

/** The text, or null for none. */
export function optionalText(call: string, path: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") refuse(call, path, value, "text");
  return value;
}

/** The texts of a list. */
export function textsOf(
  call: string,
  path: string,
  value: unknown,
  expected: string,
): readonly string[] {
  if (!Array.isArray(value)) refuse(call, path, value, expected);
  return value.map((item, index) => textOf(call, `${path}/${index}`, item, "text"));
}

/** Milliseconds of a duration, or null for none. @param minMs - 0 or 1 */
export function optionalDuration(
  call: string,
  path: string,
  value: unknown,
  minMs: number = 1,
): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !(value >= minMs && value <= MAX_DURATION_MS)) {
    refuse(call, path, value, `milliseconds from ${minMs} up to a thousand years`);
  }
  return value;
}

/** What a value is, in words for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (value === "") return "empty text";
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (["number", "bigint", "boolean"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : "a Date";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
