import { describe } from "../errors.ts";
import { badDag } from "./field-reader.ts";

const PYTHON_FLOAT =
  /^[+-]?(?:inf(?:inity)?|nan|(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?)$/i;

/**
 * The multiplier as the API server holds it. Null for text of a mapped task that is no number:
 * Airflow stores such a Dag, and then answers 500 for it.
 */
export function shownMultiplier(value: unknown, isMapped: boolean, path: string): number | null {
  if (value === undefined) return 0;
  if (typeof value === "boolean") return value ? 2 : 0;
  if (typeof value === "number") return value === 0 ? 0 : value; // -0.0 is the default, so is not stored
  if (typeof value === "string" && isMapped) return pythonFloat(value);
  const expected = isMapped ? "a number, true, false or text" : "a number, true or false";
  throw badDag(`${path}.retryExponentialBackoff`, `got ${describe(value)}; expected ${expected}`);
}

function pythonFloat(text: string): number | null {
  const trimmed = text.trim();
  if (!PYTHON_FLOAT.test(trimmed)) return null;
  const plain = trimmed.replaceAll("_", "").toLowerCase();
  if (plain.includes("n")) {
    if (plain.includes("nan")) return Number.NaN;
    return plain.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return Number(plain);
}
