import {
  type MetadataValue,
  SurrogateText,
  YamlDate,
  YamlDateTime,
  YamlFloat,
  YamlSet,
} from "@parlance/bundle";

/** A value of metadata with its type, as read_bundles.py writes it. */
export type Neutral =
  | null
  | boolean
  | string
  | readonly Neutral[]
  | { readonly [kind: string]: unknown };

/** A surrogate that is not half of a character. */
const LONE = /\p{Surrogate}/u;

/** Our value in the form of the real reader's. */
export function toNeutral(value: MetadataValue): Neutral {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return LONE.test(value) ? units(value) : value;
  if (typeof value === "number" || typeof value === "bigint") return { int: hexOf(value) };
  if (value instanceof YamlFloat) return { float: doubleOf(value.value) };
  if (value instanceof YamlDate) return { date: value.iso };
  if (value instanceof YamlDateTime) return { datetime: value.iso };
  if (value instanceof SurrogateText) return units(value.text);
  if (value instanceof YamlSet) return { set: value.items.map(toNeutral) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (value instanceof Map) {
    return { map: [...value].map(([key, item]) => [toNeutral(key), toNeutral(item)]) };
  }
  return (value as readonly MetadataValue[]).map(toNeutral);
}

/** One text for equal values: the order of maps and sets does not count. */
export function canonical(value: Neutral): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const [kind, content] = Object.entries(value)[0] as [string, unknown];
  if (kind !== "map" && kind !== "set") return JSON.stringify(value);
  return `${kind}{${(content as Neutral[]).map(canonical).sort().join()}}`;
}

function units(text: string): Neutral {
  return { units: Buffer.from(text, "utf16le").swap16().toString("hex") };
}

function hexOf(value: number | bigint): string {
  return value < 0 ? `-0x${(-BigInt(value)).toString(16)}` : `0x${value.toString(16)}`;
}

function doubleOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString("hex");
}
