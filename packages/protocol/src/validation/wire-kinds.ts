/** What counts as which kind of value on the wire. */

// Brands of @parlance/framing's classes, which this package may not import.
const TIMESTAMP = Symbol.for("parlance.timestamp");
const FLOAT = Symbol.for("parlance.float");

type Branded = { readonly [key: symbol]: unknown; readonly value?: unknown };

/** A wrapper that forces a MessagePack float: its number, else undefined. */
export function floatValue(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const wrapper = value as Branded;
  return wrapper[FLOAT] === true && typeof wrapper.value === "number" ? wrapper.value : undefined;
}

/** A date-time as it was decoded from, or will be, a timestamp extension. */
export function isTimestamp(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as Branded)[TIMESTAMP] === true;
}

/**
 * A map with text keys as decoding gives it: a plain object of this or another realm. Class
 * instances (dates, bytes, wrappers) are none, nor is a `Map`.
 */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A map whose keys are not named by a schema: a `Map` will do when its keys are text. */
export function isFreeMap(value: unknown): value is Map<string, unknown> | Record<string, unknown> {
  if (!(value instanceof Map)) return isMap(value);
  for (const key of value.keys()) if (typeof key !== "string") return false;
  return true;
}

/** Beyond it a float is no integer to stock, and no integer of the wire. */
const MAX_INTEGER = 2 ** 63;

/** A whole number, also as a bigint or as a float without a fraction: stock reads all three. */
export function isInteger(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  const number = typeof value === "number" ? value : floatValue(value);
  return Number.isInteger(number) && Math.abs(number ?? 0) <= MAX_INTEGER;
}

/** A number that JSON can hold; stock lets NaN through here and fails when it calls its server. */
export function isNumber(value: unknown): boolean {
  return typeof value === "bigint" || Number.isFinite(numeric(value));
}

/** The number behind any way to write one; NaN when it is none. */
export function numeric(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "bigint" ? Number(value) : (floatValue(value) ?? Number.NaN);
}

const HYPHENATED = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}";
const UUID = new RegExp(
  `^(?:[0-9a-fA-F]{32}|${HYPHENATED}|\\{${HYPHENATED}\\}|urn:uuid:${HYPHENATED})$`,
);

/** UUID text with or without hyphens; with them also in braces or as a URN, as stock reads it. */
export function isUuid(value: unknown): boolean {
  return typeof value === "string" && value.length <= 45 && UUID.test(value);
}
