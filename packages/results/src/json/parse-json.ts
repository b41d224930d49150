import type { ValueOptions } from "../serializers/value-options.ts";
import { JsonReader } from "./json-reader.ts";
import { nestingWithin } from "./nesting.ts";

/** Runs of digits are looked for first: a search for so long a run skips through the text. */
const MANY_DIGITS = /\d{16}/;
const LARGE_INT = /(?:^|[^.\d])\d{16}/;
/** The int -0 is 0 in Python. */
const NEGATIVE_ZERO = /(?:^|[\s[,:])-0(?![.eE])/;
/** An escape of a plain letter, behind which a tag could hide; Python's writers leave none. */
const ESCAPED_ASCII = /\\u00[2-7]/;
const FLOAT = /\d[.eE]/;
const INTEGER_KEY = /"\d+"\s*:/;

/**
 * Reads JSON as Python's `json.loads` with kombu's tags does. Texts in which nothing differs are
 * left to `JSON.parse`; all others, and those it refuses (NaN, Infinity), go to the exact reader.
 *
 * @throws RangeError for text that is no JSON to Python
 */
export function parseJson(text: string, options: ValueOptions): unknown {
  if (isSafe(text, options)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // the reader below says why, or knows better
    }
  }
  return new JsonReader(text, options).read();
}

/** Whether JSON.parse reads the text as Python does: no tags, no ints beyond 2^53, no int -0. */
function isSafe(text: string, { wrapFloats, keepKeyOrder }: ValueOptions): boolean {
  if (text.includes("__type__")) return false;
  if (text.includes("\\u00") && ESCAPED_ASCII.test(text)) return false;
  if (MANY_DIGITS.test(text) && LARGE_INT.test(text)) return false;
  if (text.includes("-0") && NEGATIVE_ZERO.test(text)) return false;
  if (wrapFloats === true && FLOAT.test(text)) return false;
  if (keepKeyOrder === true && INTEGER_KEY.test(text)) return false;
  return nestingWithin(text);
}
