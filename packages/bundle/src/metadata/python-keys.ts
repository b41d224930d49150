import {
  type MetadataValue,
  SurrogateText,
  YamlDate,
  YamlDateTime,
  YamlFloat,
  YamlSet,
} from "./values.ts";

/**
 * A token that is equal for two map keys exactly where Python finds the keys equal (`1`, `1.0` and
 * `true` are one key); undefined for what can't be a key there (lists, maps, sets).
 */
export function pythonKey(key: MetadataValue): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (key === null) return "n";
  if (typeof key === "boolean") return `i${Number(key)}`;
  if (typeof key === "number" || typeof key === "bigint") return `i${key}`;
  if (key instanceof YamlFloat) return floatKey(key.value);
  if (key instanceof YamlDate) return `d${key.iso}`;
  if (key instanceof YamlDateTime) return `${key.aware ? "a" : "t"}${key.microseconds}`;
  if (key instanceof SurrogateText) return `u${key.text}`;
  if (key instanceof YamlSet) return undefined;
  if (key instanceof Uint8Array) return `b${key.join(",")}`;
  return undefined;
}

function floatKey(value: number): string {
  if (Number.isNaN(value)) return "fnan"; // PyYAML makes one such object, so it equals itself
  return Number.isInteger(value) ? `i${BigInt(value)}` : `f${value}`;
}
