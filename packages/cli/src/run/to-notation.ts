import { toExactJson } from "@parlance/coordinator";

/**
 * A value of the wire as `--json` prints it: what JSON can't hold is marked with `$` (big
 * integers, NaN, bytes, date-times, maps whose keys are not text or are called `$`). A whole float is a plain number here.
 */
export function toNotation(value: unknown): unknown {
  return plainFloats(toExactJson(value));
}

function plainFloats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainFloats);
  if (typeof value !== "object" || value === null) return value;
  const { $: mark, v } = value as { $?: unknown; v?: unknown };
  if (mark === "float" && Number.isFinite(Number(v))) return Number(v);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainFloats(item)]));
}
