import { kindOf } from "./kind-of.ts";
import { floatValue, isFreeMap } from "./wire-kinds.ts";

/** A fault by kind: never the value itself, so that no body is kept alive by its faults. */
export interface InnerFault {
  /** JSON pointer from the value that was judged; left out when it is that value. */
  readonly at?: string;
  readonly expected: string;
  readonly got: string;
}

/** As deep as a frame of ours may be; a cycle would have no end. */
const MAX_DEPTH = 1024;

const JSON_KINDS = "a JSON value (null, true, false, a number, text, a list or a map)";

/**
 * The first thing in `value` that JSON cannot hold; undefined when there is none.
 *
 * Bytes and timestamps are refused, as stock Airflow refuses bytes and date-times in a
 * JsonValue; NaN and the infinities pass, as there. An undefined field of a map counts as
 * left out.
 */
export function jsonFault(value: unknown, depth = 0): InnerFault | undefined {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return undefined;
    case "object":
      break;
    default:
      return { expected: JSON_KINDS, got: kindOf(value) };
  }
  if (value === null || floatValue(value) !== undefined) return undefined;
  if (depth >= MAX_DEPTH) {
    return { expected: `at most ${MAX_DEPTH} levels of nesting`, got: kindOf(value) };
  }
  return Array.isArray(value) ? listFault(value, depth) : mapFault(value, depth, JSON_KINDS);
}

/** As {@link jsonFault}, for a value that must be a map. */
export function jsonMapFault(value: unknown): InnerFault | undefined {
  return mapFault(value, 0, "a map of JSON values");
}

function mapFault(value: unknown, depth: number, expected: string): InnerFault | undefined {
  if (!isFreeMap(value)) return { expected, got: kindOf(value) };
  const isEntries = value instanceof Map;
  const source = value as Record<string, unknown>;
  for (const key of isEntries ? value.keys() : Object.keys(source)) {
    const item = isEntries ? value.get(key) : source[key];
    const fault = item === undefined ? undefined : jsonFault(item, depth + 1);
    if (fault !== undefined) return { ...fault, at: `/${pointerToken(key)}${fault.at ?? ""}` };
  }
  return undefined;
}

function listFault(list: readonly unknown[], depth: number): InnerFault | undefined {
  for (let index = 0; index < list.length; index++) {
    const fault = jsonFault(list[index], depth + 1);
    if (fault !== undefined) return { ...fault, at: `/${index}${fault.at ?? ""}` };
  }
  return undefined;
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
