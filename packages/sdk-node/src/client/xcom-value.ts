import { Float } from "@parlance/framing";
import { InvalidRequestError } from "../errors.ts";

/** What an XCom may hold: JSON, integers of 64 bits, and numbers that must stay floats. */
export type XComValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | readonly XComValue[]
  | { readonly [key: string]: XComValue | undefined };

/** Python's JSON reader gives up a little above 900 levels, frames hold 512 in all. */
const MAX_DEPTH = 500;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Checks that a value arrives as what it is, before it is sent.
 *
 * Refused, with the place in the value: NaN and the infinities (Airflow takes them and fails when
 * it stores them as JSON), integers beyond 64 bits, text with half surrogate pairs, `undefined` in
 * a list, bytes, Date, Map, Set, class instances, functions, symbols, a value inside itself, more
 * than 500 levels, and maps with a key `__classname__`, which Airflow would take for one of its
 * own wrapped values. A property that is `undefined` is left out.
 *
 * @throws InvalidRequestError `invalid-value`
 */
export function checkXComValue(value: unknown): asserts value is XComValue {
  check(value, [], new Set());
}

function check(value: unknown, path: string[], open: Set<object>): void {
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      if (!(value as { isWellFormed(): boolean } & string).isWellFormed()) {
        throw refused(path, "text with half of a surrogate pair", "well-formed text");
      }
      return;
    case "number":
      checkFinite(value, path);
      return;
    case "bigint":
      if (value < MIN_INT64 || value > MAX_UINT64) {
        throw refused(path, "an integer beyond 64 bits", "a smaller one, or its digits as text");
      }
      return;
    case "object":
      if (value !== null) checkObject(value, path, open);
      return;
    default:
      throw refused(path, value === undefined ? "undefined" : `a ${typeof value}`, "a JSON value");
  }
}

function checkFinite(value: number, path: readonly string[]): void {
  if (Number.isFinite(value)) return;
  throw refused(path, String(value), "a finite number, null or text: JSON has no such number");
}

function checkObject(value: object, path: string[], open: Set<object>): void {
  if (value instanceof Float) {
    checkFinite(value.value, path);
    return;
  }
  if (open.has(value)) throw refused(path, "a value that contains itself", "a tree");
  if (path.length >= MAX_DEPTH) {
    throw refused(path.slice(0, 5), `more than ${MAX_DEPTH} levels`, "a flatter value");
  }
  open.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(String(index));
      check(value[index], path, open);
      path.pop();
    }
  } else {
    checkMap(value, path, open);
  }
  open.delete(value);
}

function checkMap(value: object, path: string[], open: Set<object>): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has a prototype without a prototype of its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refused(path, className(value), adviceFor(value));
  }
  for (const key of Object.keys(value)) {
    if (key === "__classname__") {
      const advice = "another name: Airflow reads such a map as one of its own wrapped values";
      throw refused(path, "a map with the key __classname__", advice);
    }
    path.push(key);
    check(key, path, open);
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) check(item, path, open);
    path.pop();
  }
}

function className(value: object): string {
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `a ${name}` : "a class instance";
}

function adviceFor(value: object): string {
  if (value instanceof Date) return "text, for example date.toISOString()";
  if (ArrayBuffer.isView(value)) return "text, for example in base64";
  if (value instanceof Map) return "Object.fromEntries(map)";
  if (value instanceof Set) return "an array, [...set]";
  return "a plain object";
}

function refused(path: readonly string[], got: string, expected: string): InvalidRequestError {
  const pointer = path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const place = pointer === "" ? "the value" : pointer;
  const message = `XCom value: ${place} is ${got}, expected ${expected}`;
  return new InvalidRequestError("invalid-value", pointer, message);
}
