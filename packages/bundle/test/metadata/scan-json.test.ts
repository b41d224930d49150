import {
  isMetadataMap,
  type MetadataMap,
  metadataToJson,
  parseMetadataText,
} from "@parlance/bundle";
import { load } from "@parlance/test-kit";
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { scanJson } from "../../dist/metadata/scan-json.js";

function scan(text: string): boolean | undefined {
  return scanJson(Buffer.from(text))?.hasDagMap;
}

/** A byte order mark makes the whole YAML reader do it. */
function readWhole(text: string): MetadataMap {
  return parseMetadataText(`\ufeff${text}`);
}

test("JSON of packers passes, in any layout", () => {
  const value = {
    airflow_bundle_metadata_version: "1.0",
    sdk: { language: "go", supervisor_schema_version: "2026-06-16" },
    dags: { d1: { tasks: ["extract", "load"] }, empty: {} },
    sources: [{ path: "main.go", offset: 0, length: 120 }, null, true, false, -1, []],
  };
  for (const indent of [0, 1, 2]) assert.is(scan(JSON.stringify(value, null, indent)), true);
});

test("it tells a map of Dags from anything else, the last one counts", () => {
  assert.is(scan("{}"), false);
  assert.is(scan('{"dags": []}'), false);
  assert.is(scan('{"dags": "{}"}'), false);
  assert.is(scan('{"x": {"dags": {}}}'), false);
  assert.is(scan('{"dagz": {}, "dag": {}, "dags2": {}}'), false);
  assert.is(scan('{"dags": {}, "dags": 1}'), false);
  assert.is(scan('{"dags": 1, "dags": {}}'), true);
});

test("what is not plain does not pass", () => {
  const levels = (count: number): string => `${'{"a":'.repeat(count)}{}${"}".repeat(count)}`;
  assert.is(scan(levels(99)), false);
  for (const text of [
    ...["", "[]", '"a"', "{", "{}x", '{"a"}', '{"a":}', '{"a":1,}', '{"a":[1,]}', '{,"a":1}'],
    ...['{"a":01}', '{"a":1.5}', '{"a":1e3}', '{"a":-}', '{"a":1234567890123456}', '{"a":truer}'],
    ...['{"a":"\\n"}', '{"a":"\t"}', '{"a":\t1}', '{"a":"\n"}', '{"a"\n:1}', '{"a":"é"}', "{a:1}"],
    ...['{"a":"\x7f"}', '{"a":"b', `{"${"k".repeat(1000)}":1}`, levels(100), "{'a':1}"],
  ]) {
    assert.is(scan(text), undefined, text);
  }
});

test("what passes is read by the whole reader, and the same way", () => {
  const piece = fc.constantFrom(
    ...['"a"', '"dags"', '"b c"', '""', "{", "}", "[", "]", ",", ":", " ", "\n", '"'],
    ...["0", "-1", "12", "true", "null", "\\", "é", "1.5", "#", "- ", "'", "&a", '"dags": {}'],
  );
  // A key "$" is marked by metadataToJson, which is right and no concern of the scan.
  const value = fc
    .jsonValue({ maxDepth: 3 })
    .filter((sample) => !JSON.stringify(sample).includes('"$":'));
  const document = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => `{${pieces.join("")}}`),
    fc.tuple(value, fc.integer({ min: 0, max: 2 })).map(([dags, indent]) => {
      return JSON.stringify({ dags, sdk: dags }, null, indent);
    }),
  );
  let passed = 0;
  fc.assert(
    fc.property(document, (text) => {
      const hasDagMap = scan(text);
      if (hasDagMap === undefined) return;
      passed++;
      assert.is(isMetadataMap(readWhole(text).get("dags")), hasDagMap, text);
      assert.equal(metadataToJson(readWhole(text)), JSON.parse(text), text);
    }),
    { numRuns: load(40_000) },
  );
  assert.ok(passed > 100, `${passed} passed`);
});

test.run();
