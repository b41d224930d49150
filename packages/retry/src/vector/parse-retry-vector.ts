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
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
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
    value = JSON.parse(keepDigits(text));
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

/** Long whole numbers outside of texts become objects that hold their digits. */
function keepDigits(json: string): string {
  const pieces: string[] = [];
  let at = 0;
  // By hand: a regular expression for texts overflows the stack on one of some megabytes.
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const start = quote < 0 ? json.length : quote;
    const end = endOfText(json, start);
    pieces.push(json.slice(at, start).replace(NUMBER, keepNumber), json.slice(start, end));
    at = end;
  }
  return pieces.join("");
}

/** Behind the quote that ends the text which begins here. */
function endOfText(json: string, start: number): number {
  for (let quote = start; ; ) {
    quote = json.indexOf('"', quote + 1);
    if (quote < 0) return json.length;
    let before = quote - 1;
    while (json[before] === "\\") before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
}

function keepNumber(found: string): string {
  const isLong = INTEGER.test(found) && !Number.isSafeInteger(Number(found));
  return isLong ? `{"$int":"${found}"}` : found;
}
