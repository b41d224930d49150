import {
  type MetadataValue,
  SurrogateText,
  YamlDate,
  YamlDateTime,
  YamlFloat,
  YamlSet,
} from "./values.ts";

/**
 * Metadata as a value for `JSON.stringify`. What JSON can't hold becomes `{"$": kind, …}`:
 * `int` (beyond 2^53), `float` (nan, inf, -inf), `date`, `datetime`, `bytes`, `set`, and `map` for
 * a map with keys that are not text or with the text key `$`.
 */
export function metadataToJson(value: MetadataValue): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return { $: "int", v: value.toString() };
  if (value instanceof YamlFloat) return floatToJson(value.value);
  if (value instanceof YamlDate) return { $: "date", iso: value.iso };
  if (value instanceof YamlDateTime) {
    return { $: "datetime", iso: value.iso, aware: value.aware };
  }
  if (value instanceof SurrogateText) return value.text;
  if (value instanceof YamlSet) return { $: "set", items: value.items.map(metadataToJson) };
  if (value instanceof Uint8Array) {
    return { $: "bytes", hex: Array.from(value, (n) => n.toString(16).padStart(2, "0")).join("") };
  }
  if (value instanceof Map) return mapToJson(value);
  return (value as readonly MetadataValue[]).map(metadataToJson);
}

function floatToJson(value: number): unknown {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return { $: "float", v: "nan" };
  return { $: "float", v: value > 0 ? "inf" : "-inf" };
}

function mapToJson(map: ReadonlyMap<MetadataValue, MetadataValue>): unknown {
  const plain = [...map.keys()].every((key) => typeof key === "string" && key !== "$");
  if (!plain) {
    const entries = [...map].map(([key, value]) => [metadataToJson(key), metadataToJson(value)]);
    return { $: "map", entries };
  }
  const result: Record<string, unknown> = {};
  for (const [key, value] of map) {
    // not an assignment: a key `__proto__` must stay a key
    Object.defineProperty(result, key as string, {
      value: metadataToJson(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}
