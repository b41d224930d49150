import type { ValueOptions } from "../serializers/value-options.ts";
import { JsonReader } from "./json-reader.ts";
import { nestingWithin } from "./nesting.ts";

/**
 * What JSON.parse reads otherwise than Python does: tags, ints beyond 2^53, the int -0, and escapes
 * of plain letters, behind which a tag could hide. Python's writers leave no such escapes.
 */
const RISKY = /__type__|(?:^|[^.\d])\d{16}|(?:^|[\s[,:])-0(?![.eE])|\\u00[2-7]/;
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

function isSafe(text: string, { wrapFloats, keepKeyOrder }: ValueOptions): boolean {
  if (RISKY.test(text)) return false;
  if (wrapFloats === true && FLOAT.test(text)) return false;
  if (keepKeyOrder === true && INTEGER_KEY.test(text)) return false;
  return nestingWithin(text);
}
