import { decodeTimestamp, Extension, Float, Timestamp, type WireValue } from "@parlance/framing";
import { type ExactJson, narrow } from "./exact-json.ts";

const SPECIAL_FLOATS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);
const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** An object with the key `$` that is no value of the notation. */
export class NotationError extends Error {}

Object.defineProperty(NotationError.prototype, "name", { value: "NotationError" });

/**
 * Makes the value that {@link ValuePrinter} printed. Objects become Maps, so that their keys keep
 * the order.
 *
 * @throws NotationError
 */
export function parseValue(json: ExactJson): WireValue {
  if (Array.isArray(json)) {
    const items: WireValue[] = [];
    for (const item of json) items.push(parseValue(item));
    return items;
  }
  if (!(json instanceof Map)) return json;
  if (json.has("$")) return parseMarked(json);
  const map = new Map<WireValue, WireValue>();
  for (const [key, value] of json) map.set(key, parseValue(value));
  return map;
}

type Marked = ReadonlyMap<string, ExactJson>;

/** One function a kind; each is given an object that has exactly these keys beside `$`. */
const KINDS: Readonly<Record<string, readonly [keys: string, parse: (json: Marked) => WireValue]>> =
  {
    int: ["v", (json) => parseInteger(text(json, "v"))],
    float: ["v", (json) => parseFloat64(text(json, "v"))],
    bytes: ["hex", (json) => parseHex(text(json, "hex"))],
    datetime: ["iso aware", parseDateTime],
    ext: ["code hex", parseExtension],
    map: ["entries", parseEntries],
  };

function parseMarked(json: Marked): WireValue {
  const mark = json.get("$");
  const kind = typeof mark === "string" && Object.hasOwn(KINDS, mark) ? KINDS[mark] : undefined;
  if (kind === undefined) {
    const known = Object.keys(KINDS).join(", ");
    throw new NotationError(`"$" is none of ${known}; a map with a key "$" is written as entries`);
  }
  const [keys, parse] = kind;
  for (const key of json.keys()) {
    if (key === "$" || keys.split(" ").includes(key)) continue;
    throw new NotationError(`{"$":"${String(mark)}"} has no ${JSON.stringify(key)}`);
  }
  return parse(json);
}

function text(json: Marked, key: string): string {
  const value = json.get(key);
  if (typeof value === "string") return value;
  throw new NotationError(`{"$":"${String(json.get("$"))}"} needs ${key} as text`);
}

function parseInteger(digits: string): number | bigint {
  if (!/^-?\d{1,20}$/.test(digits)) throw new NotationError(`no 64-bit integer: ${show(digits)}`);
  return narrow(BigInt(digits));
}

function parseFloat64(word: string): number | Float {
  const special = SPECIAL_FLOATS.get(word);
  if (special !== undefined) return special;
  const value = DECIMAL.test(word) ? Number(word) : Number.NaN;
  if (!Number.isFinite(value)) throw new NotationError(`no float: ${show(word)}`);
  return new Float(value);
}

function parseHex(hex: string): Uint8Array {
  if (!/^(?:[\da-fA-F]{2})*$/.test(hex)) throw new NotationError(`no bytes in hex: ${show(hex)}`);
  return new Uint8Array(Buffer.from(hex, "hex"));
}

function parseDateTime(json: Marked): Timestamp {
  if (json.get("aware") !== true) {
    throw new NotationError("a timestamp needs a zone and aware: true; without, it is plain text");
  }
  return ranged(() => Timestamp.parse(text(json, "iso")));
}

function parseExtension(json: Marked): WireValue {
  const code = json.get("code");
  if (typeof code !== "number") throw new NotationError('{"$":"ext"} needs code as an integer');
  const data = parseHex(text(json, "hex"));
  return ranged(() => (code === -1 ? decodeTimestamp(data) : new Extension(code, data)));
}

function parseEntries(json: Marked): WireValue {
  const entries = json.get("entries");
  if (!Array.isArray(entries)) throw new NotationError('{"$":"map"} needs entries as an array');
  const map = new Map<WireValue, WireValue>();
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 2) {
      throw new NotationError('an entry of {"$":"map"} is no [key, value]');
    }
    map.set(parseValue(entry[0] as ExactJson), parseValue(entry[1] as ExactJson));
  }
  return map;
}

/** What framing's classes refuse is a fault of the notation here. */
function ranged<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof RangeError) throw new NotationError(cause.message, { cause });
    throw cause;
  }
}

function show(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word);
}
