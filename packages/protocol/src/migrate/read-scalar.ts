import { floatValue, isInteger, isUuid, numeric } from "../validation/wire-kinds.ts";

// Scalars as stock's models (pydantic 2.14, lax mode) read them: the value they keep, or
// undefined for one they refuse.

const WHOLE_NUMBER_TEXT = /^\s*[+-]?\d+(?:_\d+)*(?:\.0*)?\s*$/;
const NUMBER_TEXT =
  /^\s*[+-]?(?:(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;
/** Python reads no longer number, and a huge one would take its time. */
const MAX_LENGTH = 4_300;
const TRUE_TEXT = new Set(["1", "t", "y", "on", "yes", "true"]);
const FALSE_TEXT = new Set(["0", "f", "n", "off", "no", "false"]);

/** A whole number, also as a float, as text or as a boolean. */
export function readInteger(value: unknown): number | bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return Number(value);
  if (isInteger(value)) return numeric(value);
  return isTextOf(WHOLE_NUMBER_TEXT, value) ? integerOf(value) : undefined;
}

function isTextOf(pattern: RegExp, value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_LENGTH && pattern.test(value);
}

function integerOf(text: string): number | bigint {
  const digits = text.trim().replaceAll("_", "").replace(/\..*$/, "").replace(/^\+/, "");
  const wide = BigInt(digits);
  const isSafe = wide >= Number.MIN_SAFE_INTEGER && wide <= Number.MAX_SAFE_INTEGER;
  return isSafe ? Number(wide) : wide;
}

/** A number, also as text or as a boolean; what is a number already stays as it is. */
export function readNumber(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (floatValue(value) !== undefined) return value;
  if (typeof value === "boolean") return Number(value);
  if (!isTextOf(NUMBER_TEXT, value)) return undefined;
  return Number(
    value
      .replaceAll("_", "")
      .replace(/inf(?:inity)?/i, "Infinity")
      .replace(/nan/i, "NaN"),
  );
}

/** true or false, also as 1 and 0 or as one of stock's words for them. */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const number = typeof value === "bigint" ? Number(value) : (floatValue(value) ?? value);
  if (typeof number === "number") return number === 1 ? true : number === 0 ? false : undefined;
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase();
  return TRUE_TEXT.has(word) ? true : FALSE_TEXT.has(word) ? false : undefined;
}

/** A UUID as 36 characters in lower case. */
export function readUuid(value: unknown): string | undefined {
  if (!isUuid(value)) return undefined;
  const digits = (value as string)
    .replace(/^urn:uuid:/i, "")
    .replace(/[{}-]/g, "")
    .toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A path as Python's `pathlib` prints it. */
export function readPath(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  // Exactly two slashes at the start mean something to POSIX, one and three or more are the root.
  const root = /^\/{2}(?!\/)/.test(value) ? "//" : value.startsWith("/") ? "/" : "";
  const parts = value.split("/").filter((part) => part !== "" && part !== ".");
  return `${root}${parts.join("/")}` || ".";
}
