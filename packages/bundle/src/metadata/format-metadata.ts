import { BundleError } from "../errors.ts";

/** A value that metadata can be written from. */
export type MetadataInput =
  | null
  | boolean
  | number
  | string
  | readonly MetadataInput[]
  | { readonly [key: string]: MetadataInput | undefined };

/** YAML 1.1 readers look for a key's `:` only this far. */
const MAX_KEY_LENGTH = 1000;
/** Controls, the line ends of YAML 1.1, the byte order mark, and what YAML calls not printable. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Writes metadata as one line of JSON in which no YAML reader can mistake a value's type: text in
 * double quotes, exponents with a point and a sign (`1e21` would be text), every character that
 * YAML 1.1 takes for a line end or finds unprintable escaped. Characters beyond U+FFFF stay as
 * they are: a pair of escapes would be two broken characters to a reader in Python.
 *
 * Map entries that are undefined are left out.
 *
 * @throws BundleError `bad-metadata` for lone surrogates, non-finite numbers, integers beyond
 *   2^53, keys over 1000 characters and values of other kinds
 */
export function formatMetadata(value: MetadataInput): string {
  return write(value, "");
}

function write(value: MetadataInput, path: string): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeText(value, path);
  if (typeof value === "number") return writeNumber(value, path);
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => write(item, `${path}/${at}`)).join(", ")}]`;
  }
  if (typeof value !== "object") throw bad(path, `is a ${typeof value}`);
  const entries: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const keyText = writeText(key, `${path}/${key}`);
    if (keyText.length > MAX_KEY_LENGTH) {
      throw bad(path, `has a key of ${keyText.length} characters; ${MAX_KEY_LENGTH} are readable`);
    }
    entries.push(`${keyText}: ${write(item, `${path}/${key}`)}`);
  }
  return `{${entries.join(", ")}}`;
}

function writeText(text: string, path: string): string {
  if (LONE_SURROGATE.test(text)) throw bad(path, "has a lone surrogate");
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function writeNumber(value: number, path: string): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? "0" : String(value);
  if (!Number.isFinite(value)) throw bad(path, `is ${value}`);
  if (Number.isInteger(value) && Math.abs(value) < 1e21) throw bad(path, "is beyond 2^53");
  const [digits = "", exponent] = String(value).split("e");
  const point = digits.includes(".") ? digits : `${digits}.0`;
  if (exponent === undefined) return point;
  return `${point}e${/^[-+]/.test(exponent) ? exponent : `+${exponent}`}`;
}

function bad(path: string, reason: string): BundleError {
  const where = path === "" ? "The metadata" : `The metadata's value at ${path}`;
  return new BundleError("bad-metadata", `${where} ${reason}; it can't be written.`);
}
