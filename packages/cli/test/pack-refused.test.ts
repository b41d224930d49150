import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, parlance } from "./support/cli.ts";
import { writePackProject } from "./support/pack-project.ts";

// What a bundle can't hold is refused, or told, with what to do instead.

const folder = temporaryFolder();
const project = join(folder, "project");
writePackProject(project);

function write(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  return name;
}

test("top-level await goes into a Node bundle, and into no other", async () => {
  const entry = write(
    "src/awaits.ts",
    `import { Bundle, serve } from "@parlance/sdk-node";
const name = await Promise.resolve("awaited");
const bundle = new Bundle();
bundle.task("d", name, async () => name);
serve(bundle);
`,
  );
  const out = join(folder, "awaits.min.mjs");
  const args = ["pack", entry, "--out", out, "--json", "--format"];
  for (const format of ["executable", "sea"]) {
    const run = await parlance([...args, format], { cwd: project });
    assert.equal([run.code, errorOf(run).code], [65, "cannot-bundle"]);
    assert.match(errorOf(run).message, "--format node makes an ES module");
  }
  assert.is((await parlance([...args, "node"], { cwd: project })).code, 0);
  const task = ["--dag", "d", "--task", "awaited", "--json"];
  assert.match((await parlance(["run", out, ...task])).stdout, '"return_value":"awaited"');
});

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  [
    "a file beside the source",
    'new URL("./query.sql", import.meta.url);',
    /src\/refused\.ts:2: .*\.\/query\.sql will not be beside it[\s\S]*with \{ type: "text" \}/,
  ],
  [
    "a worker that starts itself",
    'import { Worker } from "node:worker_threads";\nnew Worker(new URL("./refused.ts", import.meta.url));',
    /a worker that starts itself/,
  ],
  ["a native module", 'import "./binding.node";', /A native module can't go into a bundle/],
  ["WebAssembly without a kind", 'import "./add.wasm";', /new WebAssembly\.Module/],
];
write("src/binding.node", "");
for (const [name, text, pattern] of REFUSED) {
  test(`refuses ${name}`, async () => {
    const entry = write("src/refused.ts", `// first line\n${text}\n`);
    const args = ["pack", entry, "--out", join(folder, "refused"), "--json"];
    const run = await parlance(args, { cwd: project });
    assert.is(run.code, 65, run.stderr);
    assert.match(errorOf(run).message, pattern);
  });
}

test("tells of packages that look for files of their own", async () => {
  mkdirSync(join(project, "node_modules/looks"));
  write("node_modules/looks/package.json", '{"name":"looks","type":"module"}');
  write("node_modules/looks/data.txt", "data");
  write(
    "node_modules/looks/index.js",
    'export const file = new URL("./data.txt", import.meta.url);\nimport("bindings").catch(() => {});\n',
  );
  const sdk = 'import { Bundle, serve } from "@parlance/sdk-node";';
  const entry = write(
    "src/looks.ts",
    `${sdk}\nimport { file } from "looks";\nserve(new Bundle().task("d", "t", async () => file.href));\n`,
  );
  const args = ["pack", entry, "--out", join(folder, "looks"), "--json"];
  mkdirSync(join(project, "node_modules/bindings"));
  write("node_modules/bindings/index.js", "module.exports = () => {};\n");
  const run = await parlance(args, { cwd: project });
  assert.is(run.code, 0, run.stderr);
  assert.equal((JSON.parse(run.stdout) as { warnings: string[] }).warnings, [
    "looks looks for a native module when it runs; the bundle does not hold it.",
    "looks looks for ./data.txt beside its own file; the bundle does not hold it.",
  ]);
});

test("tells that types are not there for decorators", async () => {
  const other = join(folder, "decorators");
  mkdirSync(other);
  writePackProject(other);
  const tsconfig =
    '{"compilerOptions":{"experimentalDecorators":true,\n"emitDecoratorMetadata": true,"paths":{"@lib/*":["./lib/*"]}}}';
  writeFileSync(join(other, "tsconfig.json"), tsconfig);
  const run = await parlance(["pack", "src/tasks.ts", "--out", join(folder, "typed")], {
    cwd: other,
  });
  assert.is(run.code, 0, run.stderr);
  assert.match(run.stderr, "warning: tsconfig.json has emitDecoratorMetadata");
});

test.run();
