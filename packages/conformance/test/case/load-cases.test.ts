import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CaseFileError, loadCases, TIERS } from "@parlance/conformance";
import { temporaryFolder, throws } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";

const folder = temporaryFolder();

function written(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "cases.yaml"), text);
  return path;
}

test("the kit's own cases: ids of their own, every tier, both schema versions", () => {
  const cases = loadCases();
  assert.ok(cases.length > 80, `${cases.length} cases`);
  assert.is(new Set(cases.map(({ id }) => id)).size, cases.length);
  for (const tier of TIERS) assert.ok(cases.some((one) => one.tier === tier));
  const { versions } = cases.find(({ id }) => id === "start/smallest-task") ?? {};
  assert.equal(versions, ["2026-06-16", "2026-10-30"]);
});

test("variants: a parameter is put in as the value it is, in a text as its text", () => {
  const [one, two] = loadCases(
    written(
      "variants",
      `- id: a/b
  title: Some title or other
  tier: must
  task: t
  variants: { short: { n: 3 }, long: { n: { $repeat: [ab, 2] } } }
  store: { variables: { n: $n, text: "is \${n}, $m" } }
  expect: { state: success }
`,
    ),
  );
  assert.is(one?.id, "a/b/short");
  assert.equal(one?.store, { variables: { n: 3, text: "is 3, $m" } });
  assert.equal(two?.store, { variables: { n: "abab", text: "is abab, $m" } });
});

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ["no-yaml", "- [", /cases.yaml is no YAML/],
  ["no-list", "a: b", /is no list of cases/],
  ["no-tier", "- { id: a/b, title: Some title or other, task: t, expect: { state: x } }", /tier/],
  [
    "unknown-field",
    "- { id: a/b, title: Some title or other, tier: may, task: t, expects: 1, expect: { state: x } }",
    /case a\/b.*expects/,
  ],
];
for (const [name, text, reason] of BAD) {
  test(`a file that is not right: ${name}`, () => {
    const error = throws(() => loadCases(written(name, text)));
    assert.instance(error, CaseFileError);
    assert.match(error.message, reason);
  });
}

test("an id that stands twice is refused", () => {
  const one =
    "- { id: a/b, title: Some title or other, tier: may, task: t, expect: { state: x } }\n";
  const error = throws(() => loadCases(written("twice", one + one)));
  assert.match(error.message, "a/b stands twice");
});

test.run();
