import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderTypes } from "../dist/stub-types/render-types.js";
import type { StubFile, StubTask } from "../dist/stub-types/stub-answer.js";
import { errorOf, parlance } from "./support/cli.ts";

// What needs a Python stands in integration/test/airflow/types.test.ts.

test("without a Python, and without the file", async () => {
  const folder = new URL("../", import.meta.url);
  assert.ok(existsSync(new URL("python/stub_types/__main__.py", folder)));
  const dag = join(temporaryFolder(), "missing.py");
  const missing = await parlance(["types", "--dag", dag, "--json"]);
  assert.equal([missing.code, errorOf(missing).code], [65, "cannot-read"]);
  const device = await parlance(["types", "--dag", "/dev/null", "--json"]);
  assert.match(errorOf(device).message, "no regular file");
  const script = new URL("python/stub_types/__main__.py", folder).pathname;
  const env = { PATH: "/nonexistent" };
  const noPython = await parlance(["types", "--dag", script, "--json"], { env });
  assert.equal([noPython.code, errorOf(noPython).code], [69, "python-missing"]);
  assert.is((await parlance(["types", "--dag", script, "--check"])).code, 2);
  assert.is((await parlance(["types"])).code, 2);
});

const STUB: StubTask = {
  taskId: "t",
  function: "t",
  doc: null,
  parameters: [],
  returns: null,
  multipleOutputs: false,
  isMapped: false,
  mapsDownstream: false,
  upstream: [],
};

function render(stubs: readonly Partial<StubTask>[], rest: Partial<StubFile> = {}): string {
  const dags = [{ dagId: "d", stubs: stubs.map((stub) => ({ ...STUB, ...stub })) }];
  return renderTypes({ dags, models: [], problems: [], ...rest }, "parlance types");
}

test("every id becomes names of its own that TypeScript can have", () => {
  const ids = ["delete", "group.inner-task", "group_inner.task", "9", "日本", "__x", "InputValues"];
  const names = render(ids.map((taskId) => ({ taskId, returns: { kind: "none" } })));
  const stubs = [...names.matchAll(/export const (\S+) = new TaskStub/g)].map(([, name]) => name);
  assert.equal(stubs, [
    "deleteTask",
    "groupInnerTaskTask",
    "groupInnerTaskTask2",
    "task9Task",
    "日本Task",
    "xTask",
    "inputValuesTask",
  ]);
});

test("types and values of every kind, for inputs and for results", () => {
  const list = { kind: "list", item: { kind: "union", of: [{ kind: "int" }, { kind: "none" }] } };
  const types: readonly [unknown, string, string][] = [
    [list, "readonly (number | null)[]", "readonly (number | bigint | null)[]"],
    [{ kind: "list", item: list }, "readonly (readonly (number | null)[])[]", "…"],
    [{ kind: "set", item: { kind: "str" } }, "ReadonlySet<string>", "ReadonlySet<string>"],
    [{ kind: "map", item: { kind: "any" } }, "{ readonly [key: string]: XComValue }", "object"],
    [
      { kind: "tuple", items: [], rest: { kind: "float" } },
      "readonly number[]",
      "readonly (number | Float)[]",
    ],
    [
      { kind: "tuple", items: [{ kind: "uuid" }], rest: null },
      "readonly [Uuid]",
      "readonly [Uuid]",
    ],
    [{ kind: "literal", values: ["a\n", 1, null, true] }, '"a\\n" | 1 | null | true', "…"],
    [{ kind: "datetime" }, "DateTime", "Date"],
    [{ kind: "unknown", text: "pd.DataFrame" }, "XComValue", "unknown"],
    [null, "", "unknown"],
  ];
  for (const [type, input, result] of types) {
    const source = { kind: "task", taskId: "u", key: null, returns: null } as const;
    const parameters = [{ name: "p", type, source }] as unknown as StubTask["parameters"];
    const text = render([{ parameters, returns: type as StubTask["returns"] }]);
    assert.match(text, input === "" ? 'p: fromTask("u"),' : `p: fromTask<${input}>("u"),`);
    if (result !== "…") assert.match(text, `export type TResult = ${result};`);
  }
});

test("what the Dag writes down is a literal, of its annotation where it has that type", () => {
  const literals: readonly [unknown, unknown, string][] = [
    [{ kind: "float" }, 1, "literal<number>(1)"],
    [{ kind: "int" }, "no int", 'literal("no int")'],
    [{ kind: "datetime" }, "2026-01-02", 'literal("2026-01-02")'],
    [
      null,
      { "a b": [1], __proto__x: null },
      'literal<XComValue>({ "a b": [1], __proto__x: null })',
    ],
    [null, null, "literal<XComValue>(null)"],
    [{ kind: "int" }, { $int: "18446744073709551616" }, "literal(18446744073709551616n)"],
    [{ kind: "list", item: { kind: "int" } }, [], "literal<readonly number[]>([])"],
  ];
  for (const [type, value, text] of literals) {
    const parameters = [
      { name: "p q", type, source: { kind: "literal", value } },
    ] as unknown as StubTask["parameters"];
    assert.ok(render([{ parameters }]).includes(`  "p q": ${text},\n`), text);
  }
});

test("no text of the Dag file ends a comment or a string", () => {
  const text = render([{ taskId: "t", doc: "a */ b\n  c", upstream: ["u"] }]);
  assert.match(text, "/**\n * Task `t` of Dag `d`, after `u`.\n *\n * a *\\/ b\n *   c\n */\n");
  const source = { kind: "task", taskId: 'a"\n', key: "k", returns: null } as const;
  const parameters = [{ name: "p", type: null, source }];
  assert.match(render([{ parameters }]), 'p: fromTask("a\\"\\n", { key: "k" }),');
});

test.run();
