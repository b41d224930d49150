import { isDate, isSet } from "node:util/types";
import { Float, Timestamp } from "@parlance/framing";
import type { JsonValue } from "../client/xcom-value.ts";
import { encodeList } from "./encode-list.ts";
import { CLASS_NAME, OLD_DATA, OLD_TYPE } from "./envelope.ts";
import { pythonKind } from "./python-kind.ts";
import { refused, refusedObject, type Walk } from "./refused-value.ts";
import { wrapDate, wrapPython, wrapSet, wrapTimestamp } from "./wrap-python.ts";

/** Python's JSON reader gives up a little above 900 levels, frames hold 512 in all. */
const MAX_DEPTH = 500;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * A value as Airflow stores it: plain values as they are, values of Python's classes wrapped as
 * Python's own SDK wraps them. Nothing is changed silently; what has no form is refused.
 *
 * Refused, with the place in the value: NaN and the infinities (Airflow takes them and fails when
 * it stores them as JSON), integers beyond 64 bits, text with half surrogate pairs, `undefined` in
 * a list, bytes, Map, other class instances, functions, symbols, a value inside itself, more than
 * 500 levels, elements of a Set that Python cannot hash, and maps with a key `__classname__` or
 * `__id__`, which Python refuses too. A property that is `undefined` is left out.
 *
 * @param what - what the value is, for the message
 * @returns the value itself where nothing had to be wrapped; it is never changed
 * @throws InvalidRequestError `invalid-value`
 */
export function encodeValue(value: unknown, what: string = "value"): unknown {
  return start(value, what, true, encodeValue);
}

/**
 * As {@link encodeValue}, for a place that holds JSON and no Python values.
 *
 * @throws InvalidRequestError `invalid-value`, also for a Date, a Set and the like
 */
export function checkJsonValue(value: unknown, what: string = "value"): asserts value is JsonValue {
  start(value, what, false, checkJsonValue);
}

function start(value: unknown, what: string, wraps: boolean, caller: typeof encodeValue): unknown {
  const walk: Walk = { what, wraps, open: new Set(), path: [], encode };
  try {
    return encode(value, walk);
  } catch (error) {
    // Who called it counts, not how the value was searched.
    if (error instanceof Error) Error.captureStackTrace(error, caller);
    throw error;
  }
}

/** What one value is stored as, at the walk's place. */
function encode(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      checkText(value, walk);
      return value;
    case "number":
      checkFinite(value, walk);
      return value;
    case "bigint":
      if (value >= MIN_INT64 && value <= MAX_UINT64) return value;
      throw refused(
        walk,
        walk.path,
        "an integer beyond 64 bits",
        "a smaller one, or its digits as text",
      );
    case "object":
      return value === null ? null : encodeObject(value, walk);
    default: {
      const got = value === undefined ? "undefined" : `a ${typeof value}`;
      throw refused(walk, walk.path, got, "a JSON value");
    }
  }
}

function checkText(text: string, walk: Walk): void {
  if ((text as { isWellFormed(): boolean } & string).isWellFormed()) return;
  throw refused(walk, walk.path, "text with half of a surrogate pair", "well-formed text");
}

function checkFinite(value: number, walk: Walk): void {
  if (Number.isFinite(value)) return;
  const expected = "a finite number, null or text: JSON has no such number";
  throw refused(walk, walk.path, String(value), expected);
}

function encodeObject(value: object, walk: Walk): unknown {
  if (value instanceof Float) {
    checkFinite(value.value, walk);
    return value;
  }
  const { open, path } = walk;
  if (open.has(value)) throw refused(walk, path, "a value that contains itself", "a tree");
  if (path.length >= MAX_DEPTH) {
    const got = `more than ${MAX_DEPTH} levels`;
    throw refused(walk, path.slice(0, 5), got, "a flatter value");
  }
  open.add(value);
  const encoded = encodeOpen(value, walk);
  open.delete(value);
  return encoded;
}

function encodeOpen(value: object, walk: Walk): unknown {
  const kind = pythonKind(value);
  if (walk.wraps) {
    if (kind !== undefined && kind !== "datetime" && kind !== "frozenset") {
      return wrapPython(value, kind, walk);
    }
    if (isDate(value)) return wrapDate(value, walk);
    if (isSet(value)) return wrapSet(value, walk);
    if (value instanceof Timestamp) return wrapTimestamp(value, walk);
  }
  if (Array.isArray(value)) return encodeList(value, walk);
  return encodeMap(value, walk);
}

function encodeMap(value: object, walk: Walk): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has a prototype without a prototype of its own.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refusedObject(walk, value);
  }
  const keys = Object.keys(value);
  checkKeys(value, walk);
  let changes: [string, unknown][] | undefined;
  for (const key of keys) {
    walk.path.push(key);
    checkText(key, walk);
    const item = (value as Record<string, unknown>)[key];
    const encoded = item === undefined ? undefined : encode(item, walk);
    walk.path.pop();
    if (encoded !== item) {
      changes ??= [];
      changes.push([key, encoded]);
    }
  }
  if (changes === undefined) return value;
  // Not by assignment, which takes the key __proto__ for something else.
  return Object.fromEntries([...Object.entries(value), ...changes]);
}

function checkKeys(value: object, walk: Walk): void {
  for (const key of [CLASS_NAME, "__id__"]) {
    if (!Object.hasOwn(value, key)) continue;
    const advice = "another name: Airflow reads such a map as one of its own wrapped values";
    throw refused(walk, walk.path, `a map with the key ${key}`, advice);
  }
  if (Object.hasOwn(value, OLD_TYPE) && Object.hasOwn(value, OLD_DATA)) {
    const got = `a map with the keys ${OLD_TYPE} and ${OLD_DATA}`;
    const advice = "other names: Airflow reads such a map as a value of an old release";
    throw refused(walk, walk.path, got, advice);
  }
}
