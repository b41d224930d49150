import { DagReadError, type DagReadErrorCode } from "./dag-read-error.ts";

/** A JSON object. */
export interface JsonMap {
  readonly [key: string]: unknown;
}

/** Whether it is an object with text keys. */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads fields of one object of the document, and says where what is wrong with them. */
export class FieldReader {
  readonly dagId: string | null;
  readonly path: string;
  readonly #map: JsonMap;

  constructor(map: JsonMap, place: { readonly dagId: string | null; readonly path: string }) {
    this.#map = map;
    this.dagId = place.dagId;
    this.path = place.path;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#map, key) && this.#map[key] !== undefined;
  }

  raw(key: string): unknown {
    return Object.hasOwn(this.#map, key) ? this.#map[key] : undefined;
  }

  text(key: string): string | null {
    const value = this.raw(key);
    if (value === undefined || value === null || typeof value === "string") return value ?? null;
    return this.fail("bad-dag", key, `${kindOf(value)} stands where a text is expected`);
  }

  flag(key: string): boolean {
    return this.raw(key) === true;
  }

  /** A number; those that no JSON has may stand there as text. */
  number(key: string): number | null {
    const value = this.raw(key);
    if (value === undefined || value === null) return null;
    if (typeof value === "number") return value;
    if (typeof value === "bigint") return Number(value);
    return this.fail("bad-dag", key, `${kindOf(value)} stands where a number is expected`);
  }

  /** A whole number from `least` on. */
  whole(key: string, least: number): number | null {
    const value = this.number(key);
    if (value === null || (Number.isSafeInteger(value) && value >= least)) return value;
    return this.fail(
      "bad-dag",
      key,
      `${value} stands where a whole number from ${least} on is expected`,
    );
  }

  /** Texts; absent is none. */
  texts(key: string): string[] {
    const value = this.raw(key) ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    return this.fail("bad-dag", key, `${kindOf(value)} stands where a list of texts is expected`);
  }

  /** Seconds, plain or as Airflow wraps a duration. */
  seconds(key: string): number | null {
    const value = this.raw(key);
    const inner = isMap(value) && value["__type"] === "timedelta" ? value["__var"] : value;
    if (inner === undefined || inner === null) return null;
    if (typeof inner === "number" && Number.isFinite(inner)) return inner;
    return this.fail("bad-dag", key, `${kindOf(value)} stands where seconds are expected`);
  }

  fail(code: DagReadErrorCode, key: string, what: string): never {
    const path = key === "" ? this.path : `${this.path}/${key}`;
    const dag = this.dagId === null ? "a serialised Dag" : `Dag ${JSON.stringify(this.dagId)}`;
    throw new DagReadError(code, `${dag} at ${path === "" ? "/" : path}: ${what}`, {
      dagId: this.dagId,
      path,
    });
  }
}

/** What a value is, for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text === undefined || text.length > 60 ? `a ${typeof value}` : text;
}

/** Undoes Airflow's wrapping of what JSON can't hold: `{"__type": …, "__var": …}`. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (!isMap(value)) return value;
  const inner = value["__var"];
  switch (value["__type"]) {
    case undefined:
      return mapValues(value, unwrapped);
    case "dict":
      return isMap(inner) ? mapValues(inner, unwrapped) : inner;
    case "set":
    case "tuple":
      return unwrapped(inner);
    default:
      return value; // a date, a duration, a reference: as it is
  }
}

/** Another value for each key. */
export function mapValues<Value>(
  map: JsonMap,
  change: (value: unknown) => Value,
): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
