import { Extension, Float, Timestamp } from "@parlance/framing";

/** What stands for a secret text. */
export const PLACEHOLDER = "***";

/** Longer texts are not looked at for JSON in them, in characters. */
const MAX_JSON_CHARACTERS = 1024 * 1024;

/**
 * A value of the same type that says nothing: `***`, 0, no bytes, the first moment of 1970. What is
 * null or a boolean stays. Lists and maps are for the caller.
 */
export function placeholderOf(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? "" : PLACEHOLDER;
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (value instanceof Float) return new Float(0);
  if (value instanceof Uint8Array) return new Uint8Array(0);
  if (value instanceof Timestamp) return new Timestamp(0);
  if (value instanceof Extension) return new Extension(value.type, new Uint8Array(0));
  return value;
}

/**
 * A placeholder for a text that a program may parse: JSON of the same shape, with the same keys,
 * where the text is JSON; else `***`.
 */
export function shapedPlaceholder(text: string): string {
  if (text.length > MAX_JSON_CHARACTERS) return PLACEHOLDER;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? '"***"' : JSON.stringify(emptied(value));
  } catch {
    return text === "" ? "" : PLACEHOLDER; // no JSON, or too deep
  }
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== "object" || value === null) return placeholderOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, emptied(item)]));
}
