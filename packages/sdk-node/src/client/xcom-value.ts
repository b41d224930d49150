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

/** What a value of a type that JSON cannot hold is to be instead: the text that an editor shows. */
type Instead<T> = T extends Date
  ? "An XCom holds no Date: store date.toISOString()"
  : T extends ReadonlyMap<unknown, unknown>
    ? "An XCom holds no Map: store Object.fromEntries(map)"
    : T extends ReadonlySet<unknown>
      ? "An XCom holds no Set: store [...set]"
      : T extends ArrayBuffer | ArrayBufferView
        ? "An XCom holds no bytes: store them as text, for example in base64"
        : T extends symbol | ((...args: never) => unknown)
          ? "An XCom holds plain data: no functions, symbols and class instances"
          : never;

/**
 * A type whose values an XCom can hold, interfaces included; in any other, what cannot be held is
 * replaced by a text that says so.
 */
export type XComStorable<T> = unknown extends T
  ? T
  : T extends XComValue | undefined
    ? T
    : [Instead<T>] extends [never]
      ? { readonly [K in keyof T]: XComStorable<T[K]> }
      : Instead<T>;

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
 * @param what - what the value is, for the message
 * @throws InvalidRequestError `invalid-value`
 */
export function checkXComValue(
  value: unknown,
  what: string = "XCom value",
): asserts value is XComValue {
  check(value, [], { what, open: new Set() });
}

/** What is the same at each place of a value, and the objects that the place lies in. */
interface Walk {
  readonly what: string;
  readonly open: Set<object>;
}

function check(value: unknown, path: string[], walk: Walk): void {
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      if (!(value as { isWellFormed(): boolean } & string).isWellFormed()) {
        throw refused(walk, path, "text with half of a surrogate pair", "well-formed text");
      }
      return;
    case "number":
      checkFinite(value, path, walk);
      return;
    case "bigint":
      if (value < MIN_INT64 || value > MAX_UINT64) {
        throw refused(
          walk,
          path,
          "an integer beyond 64 bits",
          "a smaller one, or its digits as text",
        );
      }
      return;
    case "object":
      if (value !== null) checkObject(value, path, walk);
      return;
    default:
      throw refused(
        walk,
        path,
        value === undefined ? "undefined" : `a ${typeof value}`,
        "a JSON value",
      );
  }
}

function checkFinite(value: number, path: readonly string[], walk: Walk): void {
  if (Number.isFinite(value)) return;
  throw refused(
    walk,
    path,
    String(value),
    "a finite number, null or text: JSON has no such number",
  );
}

function checkObject(value: object, path: string[], walk: Walk): void {
  if (value instanceof Float) {
    checkFinite(value.value, path, walk);
    return;
  }
  const { open } = walk;
  if (open.has(value)) throw refused(walk, path, "a value that contains itself", "a tree");
  if (path.length >= MAX_DEPTH) {
    throw refused(walk, path.slice(0, 5), `more than ${MAX_DEPTH} levels`, "a flatter value");
  }
  open.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(String(index));
      check(value[index], path, walk);
      path.pop();
    }
  } else {
    checkMap(value, path, walk);
  }
  open.delete(value);
}

function checkMap(value: object, path: string[], walk: Walk): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has a prototype without a prototype of its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refused(walk, path, className(value), adviceFor(value));
  }
  for (const key of Object.keys(value)) {
    if (key === "__classname__") {
      const advice = "another name: Airflow reads such a map as one of its own wrapped values";
      throw refused(walk, path, "a map with the key __classname__", advice);
    }
    path.push(key);
    check(key, path, walk);
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) check(item, path, walk);
    path.pop();
  }
}

function className(value: object): string {
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "a class instance";
}

function adviceFor(value: object): string {
  if (value instanceof Date) return "text, for example date.toISOString()";
  if (ArrayBuffer.isView(value)) return "text, for example in base64";
  if (value instanceof Map) return "Object.fromEntries(map)";
  if (value instanceof Set) return "an array, [...set]";
  return "a plain object, for example { ...value }";
}

function refused(
  { what }: Walk,
  path: readonly string[],
  got: string,
  expected: string,
): InvalidRequestError {
  const pointer = path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const place = pointer === "" ? "the value" : pointer;
  const message = `${what}: ${place} is ${got}, expected ${expected}`;
  const error = new InvalidRequestError("invalid-value", pointer, message);
  Error.captureStackTrace(error, checkXComValue); // who called it counts, not how the value was searched
  return error;
}
