import {
  CapabilitiesError,
  crossCheck,
  DIMENSIONS,
  loadCases,
  placeMatrix,
  readCapabilities,
  renderMatrix,
} from "@parlance/conformance";
import { test } from "uvu";
import * as assert from "uvu/assert";

/** A declaration with these dimensions supported. */
function declaration(supported: readonly string[], change = (text: string) => text): string {
  const lines = (states: boolean): string[] =>
    DIMENSIONS.filter(({ group }) => (group === "states") === states).map(
      ({ name }) => `  ${name}: { supported: ${supported.includes(name)} }`,
    );
  return change(
    [
      "sdk: ex",
      'min_airflow_version: "3.3.0"',
      'supervisor_schema_version: "2026-06-16"',
      "states:",
      ...lines(true),
      "capabilities:",
      ...lines(false),
    ].join("\n"),
  );
}

function problemsOf(text: string): readonly string[] {
  try {
    readCapabilities(text);
  } catch (error) {
    assert.instance(error, CapabilitiesError);
    return (error as CapabilitiesError).problems.map(({ path }) => path);
  }
  return [];
}

test("the dimensions of the field: 8 states, 12 of a task, 11 of Dags of its own", () => {
  const count = (group: string): number => DIMENSIONS.filter((one) => one.group === group).length;
  assert.equal([count("states"), count("runtime"), count("native-dag")], [8, 12, 11]);
  const names = new Set(DIMENSIONS.map(({ name }) => name));
  for (const { id, proves } of loadCases()) {
    for (const name of proves) assert.ok(names.has(name), `${id} proves ${name}`);
  }
});

test("a declaration is read", () => {
  const { sdk, supervisorSchemaVersion, dimensions } = readCapabilities(declaration(["success"]));
  assert.equal([sdk, supervisorSchemaVersion], ["ex", "2026-06-16"]);
  assert.is(dimensions.size, DIMENSIONS.length);
  assert.equal(dimensions.get("success"), { supported: true });
});

const BAD: readonly (readonly [string, (text: string) => string, readonly string[]])[] = [
  ["a missing dimension", (text) => text.replace(/ {2}failed.*\n/, ""), ["/states/failed"]],
  ["an unknown one", (text) => `${text}\n  flying: { supported: true }`, ["/capabilities/flying"]],
  [
    "a dimension in the wrong group",
    (text) => text.replace("states:\n", "states:\n  task-args: { supported: false }\n"),
    ["/states/task-args"],
  ],
  [
    "an unquoted version",
    (text) => text.replace('"2026-06-16"', "2026"),
    ["/supervisor_schema_version"],
  ],
  [
    "an unknown version",
    (text) => text.replace("2026-06-16", "2026-06-23"),
    ["/supervisor_schema_version"],
  ],
  [
    "since where it is not supported",
    (text) =>
      text.replace("deferred: { supported: false", 'deferred: { supported: false, since: "3.3.0"'),
    ["/states/deferred/since"],
  ],
  [
    "since as a number",
    (text) => text.replace("success: { supported: true", "success: { supported: true, since: 3.3"),
    ["/states/success/since"],
  ],
  [
    "an unknown key",
    (text) => text.replace("success: { supported: true", "success: { supported: true, notes: x"),
    ["/states/success/notes"],
  ],
  [
    "supported as text",
    (text) => text.replace("success: { supported: true", "success: { supported: yes"),
    ["/states/success/supported"],
  ],
  ["a list", () => "- 1", ["", "/sdk", "/min_airflow_version"]],
  ["no YAML", () => "a: [", [""]],
];
for (const [name, change, paths] of BAD) {
  test(`what is wrong is told with its place: ${name}`, () => {
    const found = problemsOf(declaration(["success"], change));
    assert.equal(found.slice(0, paths.length), paths);
  });
}

test("the matrix: what needs Dags of its own does not apply without them", () => {
  const without = renderMatrix(readCapabilities(declaration(["success"])));
  assert.match(without, /\| success +\| MUST +\| ✓ /);
  assert.match(without, /\| failed +\| MUST +\| ✗ /);
  assert.match(without, /\| task-args +\| MUST † +\| n\/a /);
  const native = renderMatrix(readCapabilities(declaration(["native-dag-authoring"])));
  assert.match(native, /\| task-args +\| MUST † +\| ✗ /);
});

test("a page takes the matrix between its markers, and nowhere else", () => {
  const capabilities = readCapabilities(declaration(["success"]));
  const page = "before\n<!-- capabilities:begin -->\nold\n<!-- capabilities:end -->\nafter\n";
  const placed = placeMatrix(page, capabilities);
  assert.ok(
    placed?.startsWith("before\n") && placed.endsWith("after\n") && !placed.includes("old"),
  );
  assert.is(placeMatrix(placed ?? "", capabilities), placed, "a second time changes nothing");
  assert.is(placeMatrix("no markers", capabilities), undefined);
});

test("what does not apply, and what no case can see, is no disagreement", () => {
  const capabilities = readCapabilities(declaration(["self-contained-bundle", "dag-test"]));
  const cases = loadCases().filter(({ needs }) => needs.includes("bundle"));
  const verdicts = cases.map((one) => ({ case: one, outcome: "not-applicable" as const }));
  assert.equal(crossCheck(capabilities, verdicts), []);
});

test("a dimension of which a part fails is not one to declare", () => {
  const about = loadCases().filter(({ proves }) => proves.includes("retry-policy"));
  const verdicts = about.map((one, at) => ({
    case: one,
    outcome: at === 0 ? ("passed" as const) : ("not-declared" as const),
  }));
  assert.equal(crossCheck(readCapabilities(declaration([])), verdicts), []);
});

test("what is declared and what was seen are held against each other", () => {
  const capabilities = readCapabilities(declaration(["skipped", "deferred", "removed"]));
  const verdict = (id: string, outcome: "passed" | "failed") => ({
    case: loadCases().find((one) => one.id === id) ?? assert.unreachable(id),
    outcome,
  });
  const seen = crossCheck(capabilities, [
    verdict("states/skipped", "failed"),
    verdict("states/deferred", "passed"),
    verdict("states/up-for-reschedule", "passed"),
    verdict("states/awaiting-input", "failed"),
  ] as Parameters<typeof crossCheck>[1]);
  assert.equal(
    seen.map(({ dimension, kind }) => [dimension, kind]),
    [
      ["skipped", "declared-but-failing"],
      ["up_for_reschedule", "passing-but-not-declared"],
      ["removed", "declared-but-not-tested"],
    ],
  );
});

test.run();
