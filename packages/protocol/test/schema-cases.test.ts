import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Direction } from "@parlance/protocol";
import type { ValidationIssue } from "@parlance/protocol/validate";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Generators, loadGenerators, ROOT } from "./support/generators.ts";
import { type Definition, readJson } from "./support/read-data.ts";

interface SchemaCase {
  readonly id: string;
  readonly input: { readonly schema: Definition & { readonly $defs?: Record<string, Definition> } };
  readonly expected: {
    readonly root_type: string;
    readonly values_ok: readonly unknown[];
    readonly values_refused: readonly unknown[];
    readonly assignable: readonly unknown[];
    readonly not_assignable: readonly unknown[];
  };
}

const CASES = readdirSync(new URL("../test/cases/", import.meta.url))
  .filter((name) => name.endsWith(".json"))
  .map((name) => readJson<SchemaCase>(`cases/${name}`));

/** SCH-11 is about what a task receives, where a zone may be missing. */
const directionOf = ({ id }: SchemaCase): Direction =>
  id === "SCH-11" ? "to-task" : "to-supervisor";

test("there are twelve cases", () => {
  assert.is(CASES.length, 12);
});

test("validators take and refuse the values of every case", async () => {
  const { compileValidators, wireSchema } = await loadGenerators();
  const folder = temporaryFolder();
  const runtime = new URL("packages/protocol/dist/validation/runtime.js", ROOT).href;
  for (const each of CASES) {
    const { $defs = {}, ...root } = each.input.schema;
    const direction = directionOf(each);
    const all = { ...$defs, Root: root };
    const wire = Object.entries(all).map(([name, node]) => [name, wireSchema(node, direction)]);
    const file = join(folder, `${each.id}.mjs`);
    writeFileSync(file, compileValidators(Object.fromEntries(wire), { judge: "Root" }, runtime));
    const { judge } = (await import(pathToFileURL(file).href)) as {
      judge: (value: unknown) => readonly ValidationIssue[];
    };
    for (const value of each.expected.values_ok) assert.equal(judge(value), [], each.id);
    for (const value of each.expected.values_refused) {
      assert.ok(judge(value).length > 0, `${each.id} takes ${JSON.stringify(value)}`);
    }
  }
});

/** One module a case: its types, a line a value that must fit, and one that must not. */
async function moduleOf(each: SchemaCase, generators: Generators): Promise<string> {
  const { compileTypes, typeSchema } = generators;
  const { root_type: root, assignable, not_assignable: wrong } = each.expected;
  const types = await compileTypes(
    typeSchema(each.input.schema, directionOf(each)),
    each.input.schema.$ref === undefined ? root : "Unused",
  );
  assert.not.match(types, /\b\w+\d+ =|interface \w+\d+\b/, `${each.id} has numbered types`);
  return [
    "interface WireDateTime { readonly seconds: bigint }",
    types,
    ...assignable.map((value) => literal("fits", value, root)),
    ...wrong.map((value) => `// @ts-expect-error ${each.id}\n${literal("differs", value, root)}`),
    "",
  ].join("\n");
}

let count = 0;
function literal(label: string, value: unknown, type: string): string {
  count++;
  return `export const ${label}${count}: ${type} = ${JSON.stringify(value)};`;
}

test("types take exactly the values that each case says", async () => {
  const folder = temporaryFolder();
  const generators = await loadGenerators();
  const files = await Promise.all(
    CASES.map(async (each) => {
      const file = join(folder, `${each.id}.ts`);
      writeFileSync(file, await moduleOf(each, generators));
      return file;
    }),
  );
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", ROOT));
  const flags = ["--noEmit", "--strict", "--ignoreConfig", "--module", "nodenext"];
  try {
    execFileSync(process.execPath, [tsc, ...flags, ...files], { encoding: "utf8" });
  } catch (error) {
    assert.unreachable((error as { stdout: string }).stdout);
  }
});

test.run();
