import { type ExactJson, narrow } from "./exact-json.ts";
import { NotationError } from "./notation-error.ts";
import type { Marked } from "./notation-reader.ts";

const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);
const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A field of an object with the key `$` that has to be text. */
export function textField(marked: Marked, key: string): string {
  const value = marked.get(key);
  if (typeof value === "string") return value;
  throw new NotationError(`{"$":"${String(marked.get("$"))}"} needs ${key} as text`);
}

/** `{"$":"int","v":"…"}`; what is meant, in the error, is e.g. "64-bit integer". */
export function integerField(marked: Marked, maxDigits: number, meant: string): number | bigint {
  const digits = textField(marked, "v");
  const length = digits.startsWith("-") ? digits.length - 1 : digits.length;
  if (!/^-?\d+$/.test(digits) || length > maxDigits) {
    throw new NotationError(`no ${meant}: ${shorten(digits)}`);
  }
  return narrow(BigInt(digits));
}

/** `{"$":"float","v":"nan"|"inf"|"-inf"|"1.0"|…}` */
export function floatField(marked: Marked): number {
  const word = textField(marked, "v");
  const special = SPECIAL_FLOATS.get(word);
  if (special !== undefined) return special;
  const value = DECIMAL.test(word) ? Number(word) : Number.NaN;
  if (!Number.isFinite(value)) throw new NotationError(`no float: ${shorten(word)}`);
  return value;
}

/** A field that holds bytes in hexadecimal. */
export function bytesField(marked: Marked): Uint8Array {
  const hex = textField(marked, "hex");
  if (!/^(?:[\da-fA-F]{2})*$/.test(hex))
    throw new NotationError(`no bytes in hex: ${shorten(hex)}`);
  return new Uint8Array(Buffer.from(hex, "hex"));
}

/** `{"$":"map","entries":[[key,value],…]}` */
export function entriesField<Value>(
  marked: Marked,
  read: (json: ExactJson) => Value,
): Map<Value, Value> {
  const entries = marked.get("entries");
  if (!Array.isArray(entries)) throw new NotationError('{"$":"map"} needs entries as an array');
  const map = new Map<Value, Value>();
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 2) {
      throw new NotationError('an entry of {"$":"map"} is no [key, value]');
    }
    map.set(read(entry[0] as ExactJson), read(entry[1] as ExactJson));
  }
  return map;
}

/** What a class refuses with a RangeError is a fault of the notation. */
export function ranged<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof RangeError) throw new NotationError(cause.message, { cause });
    throw cause;
  }
}

/** A word of the input, quoted and cut for a message. */
export function shorten(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word);
}
