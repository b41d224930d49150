import { Float, Timestamp } from "@parlance/framing";
import { StoreError } from "./task-store.ts";

/*
 * JSON text that keeps the type of every value the wire can carry. What plain JSON has no place for
 * is an object with the key "$":
 *   {"$":"int","v":"9007199254740993"}        an integer beyond ±(2^53-1)
 *   {"$":"float","v":"1.0"}                   a float that is whole, "-0.0", "nan", "inf", "-inf"
 *   {"$":"map","entries":[["$",1]]}           a map that has the text key "$" itself
 *   {"$":"datetime","iso":"…+00:00","aware":true}
 *   {"$":"bytes","hex":"00ff"}
 * A number without a mark that is a safe integer is an integer, every other one a float.
 */

/** Deeper values are refused: beyond any the wire accepts, and short of the end of the stack. */
const MAX_DEPTH = 1_024;

/**
 * Makes a value JSON can hold of a wire value, with nothing lost.
 *
 * @throws StoreError `bad-value` for what the wire can't carry either, and beyond 1,024 levels.
 */
export function toExactJson(value: unknown): unknown {
  return write(value, 0);
}

/**
 * The reverse of {@link toExactJson}. Objects keep an own key `__proto__`; what has no mark in it is
 * given back itself, not copied.
 *
 * @throws StoreError `bad-value` for a mark that can't be read.
 */
export function fromExactJson(value: unknown): unknown {
  return read(value, 0);
}

/** {@link toExactJson} as text. */
export function exactJsonText(value: unknown): string {
  return JSON.stringify(write(value, 0));
}

/** {@link fromExactJson} of text. */
export function parseExactJson(text: string): unknown {
  return read(JSON.parse(text), 0);
}

function write(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw bad(`a value of more than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return writeNumber(value);
    case "bigint":
      return isSafe(value) ? Number(value) : { $: "int", v: String(value) };
    case "object":
      return writeObject(value, depth);
    default:
      throw bad(`a ${typeof value}`);
  }
}

function writeNumber(value: number): unknown {
  if (Number.isNaN(value)) return { $: "float", v: "nan" };
  if (!Number.isFinite(value)) return { $: "float", v: value > 0 ? "inf" : "-inf" };
  if (Object.is(value, -0)) return { $: "float", v: "-0.0" };
  return value;
}

function writeObject(value: object | null, depth: number): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => write(item, depth + 1));
  if (value instanceof Float) {
    return Number.isSafeInteger(value.value) && !Object.is(value.value, -0)
      ? { $: "float", v: `${value.value}.0` }
      : writeNumber(value.value);
  }
  if (value instanceof Timestamp) return { $: "datetime", iso: value.toISOString(), aware: true };
  if (value instanceof Uint8Array) return { $: "bytes", hex: Buffer.from(value).toString("hex") };
  const map = value instanceof Map;
  const entries: [unknown, unknown][] = map ? [...value] : Object.entries(value);
  if (!map && !Object.hasOwn(value, "$")) {
    return Object.fromEntries(entries.map(([key, item]) => [key, write(item, depth + 1)]));
  }
  return {
    $: "map",
    entries: entries.map(([key, item]) => [write(key, depth + 1), write(item, depth + 1)]),
  };
}

function read(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw bad(`JSON of more than ${MAX_DEPTH} levels`);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return readList(value, depth);
  if (Object.hasOwn(value, "$")) return readMarked(value as Record<string, unknown>, depth);
  return readPlain(value as Record<string, unknown>, depth);
}

function readList(list: readonly unknown[], depth: number): unknown {
  const items = list.map((item) => read(item, depth + 1));
  return items.some((item, at) => !Object.is(item, list[at])) ? items : list;
}

function readPlain(object: Record<string, unknown>, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const item = read(object[key], depth + 1);
    if (Object.is(item, object[key])) continue;
    copy ??= { ...object }; // with an own `__proto__`, so that the next line finds one
    copy[key] = item;
  }
  return copy ?? object;
}

const SPECIAL_FLOATS = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["-0.0", -0],
]);

function readMarked(value: Record<string, unknown>, depth: number): unknown {
  const text = value["v"];
  switch (value["$"]) {
    case "int":
      if (typeof text === "string" && /^-?\d+$/.test(text)) return narrow(BigInt(text));
      break;
    case "float":
      if (typeof text !== "string") break;
      if (SPECIAL_FLOATS.has(text)) return SPECIAL_FLOATS.get(text);
      if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return wholeFloat(Number(text));
      break;
    case "bytes":
      if (typeof value["hex"] === "string") return new Uint8Array(Buffer.from(value["hex"], "hex"));
      break;
    case "datetime":
      if (typeof value["iso"] === "string") return Timestamp.parse(value["iso"]);
      break;
    case "map":
      if (Array.isArray(value["entries"])) return readMap(value["entries"], depth);
      break;
    default:
      break;
  }
  // The rest of it is a value, which may be a secret.
  throw bad(`the mark {"$":${JSON.stringify(value["$"])?.slice(0, 20)}} with what is in it`);
}

function readMap(entries: readonly unknown[], depth: number): unknown {
  const pairs = entries.map((entry): [unknown, unknown] => {
    if (!Array.isArray(entry) || entry.length !== 2) throw bad("a map entry that is no pair");
    return [read(entry[0], depth + 1), read(entry[1], depth + 1)];
  });
  return pairs.every(([key]) => typeof key === "string")
    ? Object.fromEntries(pairs as [string, unknown][])
    : new Map(pairs);
}

function narrow(value: bigint): bigint | number {
  return isSafe(value) ? Number(value) : value;
}

function wholeFloat(value: number): unknown {
  return Number.isSafeInteger(value) ? new Float(value) : value;
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

function bad(what: string): StoreError {
  return new StoreError("bad-value", `${what} can't be kept: a store keeps what the wire carries`);
}
