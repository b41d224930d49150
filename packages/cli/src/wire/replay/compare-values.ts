import { Extension, Float, Timestamp, type WireValue } from "@parlance/framing";

/** What stands for a secret in a transcript. */
const PLACEHOLDER = "***";

/** A moment with date and time of day, with or without a zone. */
const DATE_TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** @see compareValues */
export interface CompareOptions {
  /** Date-times and UUIDs have to be the same. */
  readonly strict: boolean;
  /** JSON pointers to placeholders in what is expected. */
  readonly redacted: ReadonlySet<string>;
}

/** Where two values differ first; undefined stands for what is not there. */
export interface Difference {
  /** A JSON pointer. */
  readonly path: string;
  readonly expected: WireValue | undefined;
  readonly got: WireValue | undefined;
}

/**
 * The first difference of two decoded values, in the order of the expected one; undefined where they
 * are equal. The order of keys does not count. Any two date-times are equal, and any two UUIDs, also
 * inside of texts, unless `strict`. A placeholder is equal to anything of its type; `***` inside of a
 * text to any part of one.
 */
export function compareValues(
  expected: WireValue | undefined,
  got: WireValue | undefined,
  path: string,
  options: CompareOptions,
): Difference | undefined {
  const different: Difference = { path, expected, got };
  if (expected === undefined || got === undefined) return expected === got ? undefined : different;
  if (kindOf(expected) !== kindOf(got)) return different;
  const isRedacted = options.redacted.has(path);
  if (typeof expected === "string") {
    return equalTexts(expected, got as string, isRedacted, options.strict) ? undefined : different;
  }
  if (isRedacted) return undefined;
  if (Array.isArray(expected)) return compareLists(expected, got as WireValue[], path, options);
  if (expected instanceof Map) return compareMaps(expected, got as typeof expected, path, options);
  return equalScalars(expected, got, options.strict) ? undefined : different;
}

function compareLists(
  expected: readonly WireValue[],
  got: readonly WireValue[],
  path: string,
  options: CompareOptions,
): Difference | undefined {
  for (let index = 0; index < Math.max(expected.length, got.length); index++) {
    const found = compareValues(expected[index], got[index], `${path}/${index}`, options);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareMaps(
  expected: ReadonlyMap<WireValue, WireValue>,
  got: ReadonlyMap<WireValue, WireValue>,
  path: string,
  options: CompareOptions,
): Difference | undefined {
  for (const key of new Set([...expected.keys(), ...got.keys()])) {
    const place = `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const found = compareValues(expected.get(key), got.get(key), place, options);
    if (found !== undefined) return found;
  }
  return undefined;
}

function equalTexts(expected: string, got: string, isRedacted: boolean, strict: boolean): boolean {
  if (expected === got) return true;
  if (isRedacted) {
    const parts = expected.split(PLACEHOLDER);
    // The whole text, or JSON of which all was replaced.
    if (parts.length < 2 || expected === PLACEHOLDER || /^[[{"]/.test(expected)) return true;
    return containsInOrder(
      normal(got, strict),
      parts.map((part) => normal(part, strict)),
    );
  }
  return !strict && normal(expected, strict) === normal(got, strict);
}

/** Whether a text begins with the first part, ends with the last, and has the others between them. */
function containsInOrder(text: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

function normal(text: string, strict: boolean): string {
  return strict ? text : text.replace(DATE_TIME, "<date-time>").replace(UUID, "<uuid>");
}

function equalScalars(expected: WireValue, got: WireValue, strict: boolean): boolean {
  if (expected instanceof Timestamp && got instanceof Timestamp) {
    const isSame = expected.seconds === got.seconds && expected.nanoseconds === got.nanoseconds;
    return !strict || isSame;
  }
  if (expected instanceof Float && got instanceof Float) {
    return Object.is(expected.value, got.value);
  }
  if (expected instanceof Extension && got instanceof Extension) {
    return expected.type === got.type && Buffer.from(expected.data).equals(got.data);
  }
  if (expected instanceof Uint8Array) return Buffer.from(expected).equals(got as Uint8Array);
  return Object.is(expected, got);
}

/** 1 and 1.0 are not of one kind; a small and a wide integer are. */
function kindOf(value: WireValue): string {
  if (value === null || typeof value !== "object") {
    if (typeof value === "bigint") return "integer";
    if (typeof value !== "number") return value === null ? "null" : typeof value;
    return Number.isInteger(value) ? "integer" : "float";
  }
  if (Array.isArray(value)) return "list";
  if (value instanceof Float) return "float";
  return value instanceof Map ? "map" : value.constructor.name;
}
