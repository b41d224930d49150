import type { WireValue } from "@parlance/framing";

/** The value with plain objects for all maps whose keys are text, as frames are decoded. */
export function plainValue(value: WireValue): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (!(value instanceof Map)) return value;
  const entries = [...(value as ReadonlyMap<WireValue, WireValue>)];
  const isPlain = entries.every(([key]) => typeof key === "string");
  // fromEntries, so that a key of `__proto__` becomes a key like any other.
  return isPlain
    ? Object.fromEntries(entries.map(([key, each]) => [key, plainValue(each)]))
    : new Map(entries.map(([key, each]) => [plainValue(key), plainValue(each)]));
}
