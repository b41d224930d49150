import { deserializeMultiplier } from "../conversions/deserialize.ts";
import { readMappedMultiplier } from "../conversions/read-mapped.ts";
import { describe, RetryError } from "../errors.ts";
import { badDag } from "./field-reader.ts";

/**
 * The multiplier as the API server holds it. Null for text of a mapped task that is no number:
 * Airflow stores such a Dag, and then answers 500 for it.
 */
export function shownMultiplier(value: unknown, isMapped: boolean, path: string): number | null {
  if (value === undefined) return 0;
  if (value === 0) return 0; // -0 equals the default, so it is not stored
  if (typeof value === "boolean" || typeof value === "number") return deserializeMultiplier(value);
  if (typeof value === "string" && isMapped) return readText(value);
  const expected = isMapped ? "a number, true, false or text" : "a number, true or false";
  throw badDag(`${path}.retryExponentialBackoff`, `got ${describe(value)}; expected ${expected}`);
}

function readText(text: string): number | null {
  try {
    return readMappedMultiplier(text);
  } catch (error) {
    if (error instanceof RetryError && error.code === "not-a-number") return null;
    throw error;
  }
}
