import { metadataToJson, parseAsMeant } from "@parlance/bundle";
import { throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

function meant(text: string): readonly [metadata: unknown, mistakable: readonly string[]] {
  const { metadata, mistakable } = parseAsMeant(text);
  return [metadataToJson(metadata), mistakable];
}

test("versions and ids are text as they are written; all else is typed as PyYAML types it", () => {
  const text = `
airflow_bundle_metadata_version: 1.0
sdk: {language: go, version: 1.10, supervisor_schema_version: 2026-06-16, level: 010}
dags: {1_0: {tasks: [yes, 0x1F], since: 2026-01-02}, y: [1e3], "on": {}}
task_handlers: {2026-01-01: {tasks: [a]}}
more: {1: yes}
`;
  const [metadata, mistakable] = meant(text);
  assert.equal(metadata, {
    airflow_bundle_metadata_version: "1.0",
    sdk: {
      language: "go",
      version: "1.10",
      supervisor_schema_version: "2026-06-16",
      level: 8,
    },
    dags: {
      "1_0": { tasks: ["yes", "0x1F"], since: { $: "date", iso: "2026-01-02" } },
      y: ["1e3"],
      on: {},
    },
    task_handlers: { "2026-01-01": { tasks: ["a"] } },
    more: { $: "map", entries: [[1, true]] },
  });
  const texts = ["1.0", "1.10", "2026-06-16", "1_0", "yes", "0x1F", "y", "1e3", "2026-01-01"];
  assert.equal(mistakable, texts);
});

test("text that no reader mistakes, and values that are no ids, are no reason for a word", () => {
  const text =
    'sdk: {version: 0.1.0, language: type-script}\ndags: {d1: {tasks: [a_b, "1"]}}\nbuilt: 2026-01-02\n';
  assert.equal(meant(text)[1], []);
});

test("nothing at all is not taken for a word", () => {
  const [metadata] = meant("sdk: {version: , language: ~}\ndags: {null: {tasks: [~]}}");
  assert.equal(metadata, {
    sdk: { version: null, language: null },
    dags: { $: "map", entries: [[null, { tasks: [null] }]] },
  });
});

test("tags, and what an alias or a merge key may bring in, are told", () => {
  assert.equal(meant("dags: {!!str 1: {}}")[1], ["tag:yaml.org,2002:str"]);
  assert.equal(meant("x: &t [1e3]\ndags: {a: {tasks: *t}}")[1], ["1e3"]);
  assert.equal(meant("x: &t {on: {}}\ndags: {<<: *t}")[1], ["on", "<<"]);
});

test("what is no map is refused", () => {
  throws(() => parseAsMeant("- a"), "bad-metadata");
  throws(() => parseAsMeant(""), "bad-metadata");
});

test.run();
