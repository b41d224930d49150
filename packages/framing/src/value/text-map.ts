import type { WireMap, WireValue } from "./wire-value.ts";

/** A map whose keys are all text, as `maps: "object"` or `maps: "map"` gives it. */
export type TextMap = WireMap | ReadonlyMap<string, WireValue>;

/** Whether a decoded value is a map whose keys are all text. */
export function isTextMap(value: WireValue): value is TextMap {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Map) {
    for (const key of value.keys()) if (typeof key !== "string") return false;
    return true;
  }
  return Object.getPrototypeOf(value) === Object.prototype;
}
