import {
  createMetadata,
  formatMetadata,
  type MetadataInput,
  metadataToJson,
  parseMetadataText,
} from "@parlance/bundle";
import { load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const TRICKY = [
  "yes", "NO", "on", "~", "null", "", "1", "010", "0x1f", "1e3", "1.5", "1:30", "2026-06-16", "<<",
  "=", "a: b", "a #b", "- a", "é", "漢", "😀", "\u0085", "\u2028", "\u2029", "\ufeff", "\u007f", "\u0000", "\t\n\r",
  '"', "\\", "'", "*/", "a\u00a0b", "__proto__",
]; // biome-ignore format: one list

test("text keeps its type as a key and as a value, in the quick reader and the whole one", () => {
  for (const text of TRICKY) {
    const written = formatMetadata({ [text]: text });
    for (const source of [written, `\ufeff${written}`]) {
      assert.equal([...parseMetadataText(source)], [[text, text]], JSON.stringify(text));
    }
  }
});

test("what is written is printable, on one line, and JSON too", () => {
  for (const text of TRICKY) {
    const written = formatMetadata({ a: text });
    assert.not.match(
      written,
      /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u,
    );
    assert.equal(JSON.parse(written), { a: text });
  }
});

test("any value that can be written is read back", () => {
  // As the unit "binary", which takes a second to make a map of all code points first.
  const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const value = fc.letrec<{ node: MetadataInput }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit }).filter((text) => !/\p{Surrogate}/u.test(text)),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("node")),
      fc.dictionary(fc.string(), tie("node")),
    ),
  })).node;
  fc.assert(
    fc.property(value, (input) => {
      const written = formatMetadata({ a: input });
      for (const source of [written, `\ufeff${written}`]) {
        const read = parseMetadataText(source);
        assert.equal(
          JSON.stringify(jsonOf(metadataToJson(read))),
          JSON.stringify(jsonOf({ a: input })),
        );
      }
    }),
    { numRuns: load(2_000) },
  );
});

/** Without the notation for maps with a key `$`. */
function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "object" || value === null) return value;
  const map = value as { $?: unknown; entries?: [string, unknown][] };
  const entries =
    map.$ === "map" && Array.isArray(map.entries) ? map.entries : Object.entries(value);
  return entries.map(([key, item]) => [key, jsonOf(item)]).sort();
}

test("numbers are written so that YAML 1.1 reads them as numbers", () => {
  for (const [value, text] of [
    [1e21, "1.0e+21"],
    [1.5e-7, "1.5e-7"],
    [1e-7, "1.0e-7"],
    [0.5, "0.5"],
    [-0, "0"],
  ] as const) {
    assert.is(formatMetadata([value]), `[${text}]`);
    assert.equal(metadataToJson(parseMetadataText(`a: ${text}`)), { a: value + 0 });
  }
});

test("what no reader could take is not written", () => {
  for (const value of ["\ud83d", Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    throws(() => formatMetadata([value]), "bad-metadata");
  }
  throws(() => formatMetadata({ ["k".repeat(1001)]: 1 }), "bad-metadata");
  throws(() => formatMetadata([1n as unknown as number]), "bad-metadata");
});

const SDK = { language: "typescript", version: "0.1.0", supervisorSchemaVersion: "2026-06-16" };

test("the metadata has both maps, and the index of sources", () => {
  const metadata = createMetadata({
    sdk: SDK,
    dags: { d1: { tasks: ["a", "b"] }, "2026-06-16": { tasks: [] } },
    sources: [
      { path: "src/a.ts", data: "é\n" },
      { path: "b.ts", data: new Uint8Array(0) },
    ],
  });
  const handlers = { d1: { tasks: ["a", "b"] }, "2026-06-16": { tasks: [] } };
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const { sources, ...rest } = JSON.parse(JSON.stringify(metadata));
  assert.equal(rest, {
    airflow_bundle_metadata_version: "1.0",
    sdk: { language: "typescript", version: "0.1.0", supervisor_schema_version: "2026-06-16" },
    source: "src/a.ts",
    dags: handlers,
    task_handlers: handlers,
    entrypoint_path: "src/a.ts",
  });
  assert.equal(
    sources.map(({ path, offset, length }: Record<string, unknown>) => [path, offset, length]),
    [
      ["src/a.ts", 0, 3],
      ["b.ts", 3, 0],
    ],
  );
  assert.is(sources[1].sha256, empty);
});

test("metadata that Airflow could not use is not made", () => {
  const dags = { d: { tasks: ["t"] } };
  const good = { sdk: SDK, dags };
  throws(() => createMetadata({ ...good, dags: {} }), "bad-metadata");
  throws(() => createMetadata({ ...good, dags: { "": { tasks: [] } } }), "bad-metadata");
  throws(() => createMetadata({ ...good, dags: { d: { tasks: [""] } } }), "bad-metadata");
  throws(() => createMetadata({ ...good, sdk: { ...SDK, version: "" } }), "bad-metadata");
  throws(() => createMetadata({ ...good, entrypointPath: "a" }), "bad-metadata");
  const sources = [{ path: "a", data: "" }];
  throws(() => createMetadata({ ...good, sources: [...sources, ...sources] }), "bad-metadata");
  throws(() => createMetadata({ ...good, sources, dagSourcePaths: { d: "b" } }), "bad-metadata");
});

test.run();
