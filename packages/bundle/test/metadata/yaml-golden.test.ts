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
import { test } from "uvu";
import * as assert from "uvu/assert";

/** How PyYAML's SafeLoader reads a text; see test/data/make-yaml-golden.py. */
type Row = { readonly text: string } & ({ readonly ok: unknown } | { readonly error: string });

function load(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(`../../test/data/${name}`, import.meta.url), "utf8"));
}

/** The notation of the golden data. Entries of maps and sets are sorted. */
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
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [kind, content] = Object.entries(value)[0] as [string, unknown];
  if (kind === "float") return `float ${Number(SPECIAL_FLOATS[String(content)] ?? content)}`;
  if (kind === "map" || kind === "set") {
    return `${kind} ${(content as unknown[]).map(canonical).sort().join()}`;
  }
  return JSON.stringify(value);
}

function isMapRow(row: Row): row is { text: string; ok: { map: unknown } } {
  return (
    "ok" in row && typeof row.ok === "object" && row.ok !== null && Object.hasOwn(row.ok, "map")
  );
}

for (const name of ["yaml-scalars.json", "yaml-documents.json"]) {
  const rows = load(name);
  test(`${name}: ${rows.length} texts are typed as PyYAML types them`, () => {
    assert.ok(rows.length > 200);
    for (const row of rows) {
      const shown = JSON.stringify(row.text.slice(0, 200));
      if (isMapRow(row)) {
        const read = canonical(typed(parseMetadataText(row.text)));
        assert.is(read, canonical(row.ok), shown);
      } else {
        throws(() => parseMetadataText(row.text), "bad-metadata");
      }
    }
  });

  test(`${name}: the quick reader and the whole one agree`, () => {
    for (const row of rows) {
      // the mark before the text is skipped by YAML, and switches the quick reader off
      if (!isMapRow(row) || row.text.startsWith("\ufeff")) continue;
      const whole = canonical(typed(parseMetadataText(`\ufeff${row.text}`)));
      assert.is(whole, canonical(row.ok), JSON.stringify(row.text.slice(0, 200)));
    }
  });
}

test.run();
