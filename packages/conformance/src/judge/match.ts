import { toExactJson } from "@parlance/coordinator";

/** A place where a value is not what was expected. */
export interface Mismatch {
  /** JSON pointer into the value. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

const TIMESTAMP_TEXT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;
const MAX_SHOWN = 300;

/** What `$is` may name. */
const KINDS: { readonly [name: string]: (value: unknown) => boolean } = {
  text: (value) => typeof value === "string",
  "non-empty-text": (value) => typeof value === "string" && value.length > 0,
  integer: (value) => Number.isSafeInteger(value) || marked(value, "int"),
  number: (value) => typeof value === "number" || marked(value, "int") || marked(value, "float"),
  boolean: (value) => typeof value === "boolean",
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  present: (value) => value !== undefined && value !== null,
  absent: (value) => value === undefined || value === null,
  "date-time": (value) =>
    marked(value, "datetime") || (typeof value === "string" && TIMESTAMP_TEXT.test(value)),
};

/**
 * Holds a value against a pattern. Text, numbers, booleans, null and lists are compared as they are; a map has to have
 * the keys of the pattern, and may have more. A map with one of these keys is a question:
 *
 *     {$is: text | non-empty-text | integer | number | boolean | list | map | present | absent | date-time}
 *     {$matches: "a regular expression"}      text, or the ISO text of a date-time, that has it somewhere
 *     {$text: "a regular expression"}         any value, the JSON text of which has it somewhere
 *     {$oneOf: [pattern, …]}
 *     {$all: [pattern, …]}
 *     {$has: [pattern, …]}                    a list with an item for each of them, in any order
 *     {$not: pattern}
 *
 * Values of the wire are compared as exact JSON: a float that is whole is `{"$":"float","v":"1.0"}`.
 */
export function match(pattern: unknown, value: unknown): readonly Mismatch[] {
  return compare(pattern, exact(value), "");
}

/** {@link match} of a value that is exact JSON already. */
export function matchJson(pattern: unknown, json: unknown): readonly Mismatch[] {
  return compare(pattern, json, "");
}

function compare(pattern: unknown, value: unknown, path: string): readonly Mismatch[] {
  const wrong = (expected: string): readonly Mismatch[] => [{ path, expected, seen: show(value) }];
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) return wrong(show(pattern));
    if (value.length !== pattern.length) return wrong(`${pattern.length} items: ${show(pattern)}`);
    return pattern.flatMap((item, at) => compare(item, value[at], `${path}/${at}`));
  }
  if (typeof pattern !== "object" || pattern === null) {
    return Object.is(pattern, value) ? [] : wrong(show(pattern));
  }
  const question = ask(pattern as { readonly [key: string]: unknown }, value, path);
  if (question !== undefined) return question ? [] : wrong(show(pattern));
  if (!KINDS["map"]?.(value)) return wrong(show(pattern));
  return Object.entries(pattern).flatMap(([key, inner]) =>
    compare(inner, (value as { [key: string]: unknown })[key], `${path}/${key}`),
  );
}

/** Whether the question of a pattern is answered by yes; undefined where it is none. */
function ask(
  pattern: { readonly [key: string]: unknown },
  value: unknown,
  path: string,
): boolean | undefined {
  const { $is, $matches, $text, $oneOf, $all, $has, $not } = pattern;
  const fits = (one: unknown, item: unknown): boolean => compare(one, item, path).length === 0;
  if (typeof $is === "string") {
    const test = KINDS[$is];
    if (test === undefined) throw new TypeError(`a pattern asks for ${$is}, which is no kind`);
    return test(value);
  }
  if (typeof $matches === "string") {
    const text = marked(value, "datetime") ? (value as { readonly iso?: unknown }).iso : value;
    return typeof text === "string" && new RegExp($matches, "u").test(text);
  }
  if (typeof $text === "string") return new RegExp($text, "u").test(JSON.stringify(value) ?? "");
  if (Array.isArray($oneOf)) return $oneOf.some((one) => fits(one, value));
  if (Array.isArray($all)) return $all.every((one) => fits(one, value));
  if (Array.isArray($has)) {
    return Array.isArray(value) && $has.every((one) => value.some((item) => fits(one, item)));
  }
  if ("$not" in pattern) return compare($not, value, path).length > 0;
  return undefined;
}

function exact(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    return toExactJson(value);
  } catch {
    return value;
  }
}

const marked = (value: unknown, mark: string): boolean =>
  (value as { readonly $?: unknown } | null)?.$ === mark;

/** A JSON value in a few words for a report. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? "nothing");
  return text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}
