import {
  MAX_METADATA_BYTES,
  metadataToJson,
  parseMetadata,
  parseMetadataText,
} from "@parlance/bundle";
import { cpuMs, load, throws } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";

const TYPICAL = `airflow_bundle_metadata_version: "1.0"
sdk:
  language: go
  version: 0.1.0
  supervisor_schema_version: "2026-06-16"
# a comment
source: main.go
dags:
  d1:
    tasks:
    - extract
    - 'load'
  d-2:
    tasks: [a, "b"]
  empty: {}
`;

function json(text: string): unknown {
  return metadataToJson(parseMetadataText(text));
}

test("typical block YAML and the same as JSON give the same", () => {
  const value = {
    airflow_bundle_metadata_version: "1.0",
    sdk: { language: "go", version: "0.1.0", supervisor_schema_version: "2026-06-16" },
    source: "main.go",
    dags: { d1: { tasks: ["extract", "load"] }, "d-2": { tasks: ["a", "b"] }, empty: {} },
  };
  assert.equal(json(TYPICAL), value);
  for (const indent of [0, 1, 2]) assert.equal(json(JSON.stringify(value, null, indent)), value);
});

test("block YAML that the quick reader must leave to the whole one", () => {
  for (const [text, value] of [
    ["a: b\n c\n", { a: "b c" }],
    ["a: b # c\n", { a: "b" }],
    ["a:\n  b: 1\n  c:\n  - x\n  -  y z\n", { a: { b: 1, c: ["x", "y z"] } }],
    ["a:\n- b: 1\n  c: 2\n", { a: [{ b: 1, c: 2 }] }],
    ["a: [b: c]\n", { a: [{ b: "c" }] }],
    ["a: b#c\n", { a: "b#c" }],
    ["a: 'it''s'\n", { a: "it's" }],
    ["? a\n: b\n", { a: "b" }],
  ] as const) {
    assert.equal(json(text), value, text);
  }
});

test("any JSON map with text values is read as it is, quickly or not", () => {
  // no control characters: JSON leaves DEL and line ends of YAML 1.1 unescaped
  const text = fc.string({ unit: fc.constantFrom(..."aé漢\"\\/:#-,[]{}'&*!|>%@ 0.~\n\t") });
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), (value) => {
      const source = JSON.stringify(value);
      assert.equal(json(source), JSON.parse(source));
      assert.equal(json(`\ufeff${source}`), JSON.parse(source));
    }),
    { numRuns: load(2_000) },
  );
});

test("special values are written in the notation of the command", () => {
  assert.equal(
    json(
      "a: 2026-06-16\nb: 2026-06-16 01:02:03.5 -05:30\nc: 2026-06-16T01:02:03\nd: 9007199254740993\n" +
        "e: .nan\nf: -.inf\ng: {1: x}\nh: {$: x}\ni: !!binary AP8=\nj: 1.5\n",
    ),
    {
      a: { $: "date", iso: "2026-06-16" },
      b: { $: "datetime", iso: "2026-06-16T01:02:03.500000-05:30", aware: true },
      c: { $: "datetime", iso: "2026-06-16T01:02:03", aware: false },
      d: { $: "int", v: "9007199254740993" },
      e: { $: "float", v: "nan" },
      f: { $: "float", v: "-inf" },
      g: { $: "map", entries: [[1, "x"]] },
      h: { $: "map", entries: [["$", "x"]] },
      i: { $: "bytes", hex: "00ff" },
      j: 1.5,
    },
  );
});

test("a key __proto__ stays a key", () => {
  for (const text of ['{"__proto__": {"a": 1}}', "__proto__:\n  a: 1\n", "{__proto__: {a: 1}}"]) {
    const value = json(text) as object;
    assert.ok(Object.hasOwn(value, "__proto__"), text);
    assert.is(Object.getPrototypeOf(value), Object.prototype);
  }
});

function levels(count: number): string {
  return `{a: ${"[".repeat(count - 1)}${"]".repeat(count - 1)}}`;
}

test("100 levels are read, 101 are refused; also in JSON and in blocks", () => {
  parseMetadataText(levels(100));
  throws(() => parseMetadataText(levels(101)), "bad-metadata");
  const jsonLevels = (count: number): string => `${'{"a": '.repeat(count)}1${"}".repeat(count)}`;
  parseMetadataText(jsonLevels(100));
  throws(() => parseMetadataText(jsonLevels(101)), "bad-metadata");
  const block = (count: number): string =>
    Array.from({ length: count }, (_, at) => `${" ".repeat(at)}a:\n`).join("");
  parseMetadataText(block(100));
  throws(() => parseMetadataText(block(101)), "bad-metadata");
  // levels that only an alias brings
  const deep = `a: &a ${"[".repeat(60)}${"]".repeat(60)}\n`;
  parseMetadataText(`${deep}b: ${"[".repeat(39)}*a${"]".repeat(39)}\n`);
  throws(
    () => parseMetadataText(`${deep}b: ${"[".repeat(40)}*a${"]".repeat(40)}\n`),
    "bad-metadata",
  );
});

test("100 alias expansions are read, 101 are refused, counted as if written out", () => {
  const flat = (count: number): string => `a: &a x\nb: [${Array(count).fill("*a").join(", ")}]\n`;
  assert.equal((json(flat(100)) as { b: string[] }).b.length, 100);
  throws(() => parseMetadataText(flat(101)), "bad-metadata");
  // 9 + 9 * (1 + 9) = 99
  const nested = "a: &a x\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n";
  parseMetadataText(nested);
  throws(() => parseMetadataText(`${nested}d: [*a, *a]\n`), "bad-metadata");
  throws(() => parseMetadataText("a: &a [*a]\n"), "bad-metadata");
});

test("1 MiB is read, a byte more is refused", () => {
  const text = (length: number): Uint8Array => Buffer.from("a: b\n".padEnd(length, " "));
  parseMetadata(text(MAX_METADATA_BYTES));
  throws(() => parseMetadata(text(MAX_METADATA_BYTES + 1)), "bad-metadata");
  throws(() => parseMetadata(text(10), MAX_METADATA_BYTES + 1), "bad-metadata");
});

test("hostile text of 1 MiB is refused within seconds", () => {
  let laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n";
  for (const [name, before] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg", "ih"]) {
    laughs += `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]\n`;
  }
  const fill = (piece: string): string => piece.repeat(MAX_METADATA_BYTES / piece.length);
  const texts = [
    laughs,
    fill("["),
    fill("{a: "),
    fill("- "),
    fill("? "),
    fill('{"a":'),
    `a: 1${fill(":1")}`.slice(0, MAX_METADATA_BYTES),
    `a: ${fill("9")}`.slice(0, MAX_METADATA_BYTES),
    `"${fill("a")}`.slice(0, MAX_METADATA_BYTES),
    `${`a: 2026-01-01${fill(" ")}`.slice(0, MAX_METADATA_BYTES - 1)}x: y`,
  ];
  for (const text of texts) {
    const ms = cpuMs(() => void throws(() => parseMetadataText(text), "bad-metadata"));
    assert.ok(ms < 3000, `${text.slice(0, 20)}: ${ms} ms`);
  }
});

test("bad UTF-8 is refused", () => {
  throws(() => parseMetadata(Uint8Array.of(0x61, 0x3a, 0x20, 0xff)), "bad-metadata");
  throws(() => parseMetadata(Uint8Array.of(0x61, 0x3a, 0x20, 0xed, 0xa0, 0x80)), "bad-metadata");
});

test("of several faults the one is told that PyYAML comes to first: what is deeper comes later", () => {
  // the date ends the search of Airflow 3.3, the tag does not
  for (const [text, told] of [
    ["sdk: {language: !foo x}\nsources: 2026-02-30\n", /2026-02-30/],
    ["sdk: {language: 2026-02-30}\nsources: !foo x\n", /!foo/],
    ["a: [[!foo x], 2026-02-30]\n", /2026-02-30/],
  ] as const) {
    assert.match(throws(() => parseMetadataText(text), "bad-metadata").message, told);
  }
});

test("base64 is read as Python reads it", () => {
  for (const [text, hex] of [
    ["aGVsbG8=", "68656c6c6f"],
    ["aGVsbG=8=", "68656c6c6f"],
    ["aGVsbG==rest", "68656c6c"],
    ["=aG-V.s bG8=", "68656c6c6f"],
    ["aGV=", "6865"],
    ["aGVs", "68656c"],
  ] as const) {
    const value = parseMetadataText(`k: !!binary "${text}"\n`).get("k");
    assert.is(Buffer.from(value as Uint8Array).toString("hex"), hex, text);
  }
  for (const text of ["aGVsb", "aGVsbG=8", "aGV", "a===", "\u00e9"]) {
    throws(() => parseMetadataText(`k: !!binary "${text}"\n`), "bad-metadata");
  }
});

test.run();
