import { readFileSync } from "node:fs";
import {
  type MetadataValue,
  parseMetadataText,
  SurrogateText,
  YamlDate,
  YamlDateTime,
  YamlFloat,
  YamlSet,
} from "@parlance/bundle";
import { throws } from "@parlance/test-kit";
import * as assert from "uvu/assert";

/** How PyYAML's SafeLoader reads a text; see test/data/make-yaml-golden.py. */
export type Row = { readonly text: string } & (
  | { readonly ok: unknown }
  | { readonly error: string }
);

/** Reads recorded rows. */
export function readRows(file: string | URL): Row[] {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The notation of the golden data. */
function typed(value: MetadataValue): unknown {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return { int: String(value) };
  if (value instanceof YamlFloat) return { float: value.value };
  if (value instanceof YamlDate) return { date: value.iso };
  if (value instanceof YamlDateTime) return { datetime: value.iso, aware: value.aware };
  if (value instanceof SurrogateText) {
    return {
      surrogates: Array.from({ length: value.text.length }, (_, at) => value.text.charCodeAt(at)),
    };
  }
  if (value instanceof YamlSet) return { set: value.items.map(typed) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (value instanceof Map) return { map: [...value].map((entry) => entry.map(typed)) };
  return (value as readonly MetadataValue[]).map(typed);
}

const SPECIAL_FLOATS: Readonly<Record<string, string>> = { inf: "Infinity", "-inf": "-Infinity" };

/** One text for equal values: floats as JavaScript writes them, maps and sets in one order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [kind, content] = Object.entries(value)[0] as [string, unknown];
  if (kind === "float") return `float ${Number(SPECIAL_FLOATS[String(content)] ?? content)}`;
  if (kind === "map" || kind === "set") {
    return `${kind} ${(content as unknown[]).map(canonical).sort().join()}`;
  }
  return JSON.stringify(value);
}

/** Whether PyYAML read a map: all that metadata can be. */
export function isMapRow(row: Row): row is { text: string; ok: { map: unknown } } {
  return (
    "ok" in row && typeof row.ok === "object" && row.ok !== null && Object.hasOwn(row.ok, "map")
  );
}

/** {@link canonical} for what our reader gave. */
export function canonicalOf(value: MetadataValue): string {
  return canonical(typed(value));
}

/** Holds our reader to a row: the same value, or the refusal of all that is no map. */
export function assertReadAlike(row: Row): void {
  const shown = JSON.stringify(row.text.slice(0, 300));
  if (isMapRow(row)) assert.is(canonicalOf(parseMetadataText(row.text)), canonical(row.ok), shown);
  else throws(() => parseMetadataText(row.text), "bad-metadata");
}
