import { describe, RetryError } from "../errors.ts";
import type { RetryVector } from "./retry-vector.ts";

const LAYERS = new Set(["sdk", "mapped", "memory", "direct"]);
const NEEDED = [
  "dag_id",
  "task_id",
  "logical_date",
  "end_date",
  "try_number",
  "retry_delay_us",
  "multiplier",
];
// A text, which is left alone, or a number.
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

/**
 * Reads a {@link RetryVector} from one line of JSON. Whole numbers keep all their digits.
 *
 * @throws {@link RetryError} `bad-input` when it is no JSON object, lacks a field, or its layer is none;
 *   the values of the fields are looked at by `answerVector`
 */
export function parseRetryVector(text: string): RetryVector {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(TEXT_OR_NUMBER, keepDigits));
  } catch (cause) {
    throw new RetryError("bad-input", `the vector is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RetryError("bad-input", `the vector is ${describe(value)}; expected a JSON object`);
  }
  const missing = NEEDED.filter((name) => !Object.hasOwn(value, name));
  if (missing.length > 0) {
    throw new RetryError("bad-input", `the vector has no ${missing.join(", ")}`);
  }
  const { layer = "sdk", ...rest } = value as { readonly layer?: unknown };
  if (!LAYERS.has(layer as string)) {
    const expected = [...LAYERS].join(", ");
    throw new RetryError(
      "bad-input",
      `the layer is ${describe(layer)}; expected one of ${expected}`,
    );
  }
  return { ...rest, layer } as unknown as RetryVector;
}

function keepDigits(found: string): string {
  const isLong = INTEGER.test(found) && !Number.isSafeInteger(Number(found));
  return isLong ? `{"$int":"${found}"}` : found;
}
