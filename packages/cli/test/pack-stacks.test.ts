import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { join } from "node:path";
import { temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PACKAGE, parlance } from "./support/cli.ts";

// A project with a package, as a user has it: what the stacks of its packed program name.

const folder = temporaryFolder();
const project = join(folder, "project");
const bundle = join(folder, "out", "tasks");

write("package.json", '{"type":"module"}');
write(
  "node_modules/callers/index.js",
  "export function callLater(call) {\n  return call();\n}\nexport const later = 1;\n",
);
write("node_modules/callers/package.json", '{"type":"module","exports":"./index.js"}');
mkdirSync(join(project, "node_modules/@parlance"));
symlinkSync(join(PACKAGE, "../sdk-node"), join(project, "node_modules/@parlance/sdk-node"));
write(
  "src/load.ts",
  `/** A comment, so that lines differ. */
export interface Row {
  readonly id: number;
}

export function load(): readonly Row[] {
  throw new TypeError("no rows", { cause: new Error("no table") });
}
`,
);
write(
  "src/tasks.ts",
  `import { callLater } from "callers";
import { Bundle, serve } from "@parlance/sdk-node";
import { load } from "./load.ts";

const bundle = new Bundle();
bundle.task("d", "fails", async () => {
  callLater(() => load());
});
bundle.task("d", "places", async () => [
  import.meta.url,
  import.meta.filename,
  import.meta.dirname,
]);
bundle.task("d", "node_error", async () => {
  try {
    Buffer.alloc("1" as never);
  } catch (error) {
    return (error as Error).stack;
  }
});
serve(bundle);
`,
);

function write(name: string, text: string): void {
  mkdirSync(join(project, name, ".."), { recursive: true });
  writeFileSync(join(project, name), text);
}

interface Entry {
  readonly xcoms: Readonly<Record<string, unknown>>;
  readonly logs: readonly {
    readonly error_detail?: readonly {
      readonly frames: readonly { readonly filename: string; readonly lineno: number }[];
    }[];
  }[];
}

async function runTask(taskId: string, env: Readonly<Record<string, string>> = {}): Promise<Entry> {
  const args = ["run", bundle, "--dag", "d", "--task", taskId, "--json"];
  const run = await parlance(args, { env });
  return (JSON.parse(run.stdout) as { tasks: [Entry] }).tasks[0];
}

test("packs", async () => {
  const run = await parlance(["pack", "src/tasks.ts", "--out", bundle], { cwd: project });
  assert.is(run.code, 0, run.stderr);
  assert.is(run.stderr.includes("import.meta"), false);
});

for (const [name, env] of [
  ["stacks name the lines of the user's own files, and the bundle's for packages", {}],
  ["also where Node itself was told to use source maps", { NODE_OPTIONS: "--enable-source-maps" }],
] as const) {
  test(name, async () => {
    const { logs } = await runTask("fails", env);
    const [outer, cause] = logs.flatMap((record) => record.error_detail ?? []);
    const places = outer?.frames.map(({ filename, lineno }) => `${filename}:${lineno}`) ?? [];
    assert.equal(places.slice(-4).reverse().filter(isOwn), [
      "src/load.ts:7",
      "src/tasks.ts:7",
      "src/tasks.ts:7",
    ]);
    assert.is(cause?.frames.at(-1)?.filename, "src/load.ts");
  });
}

function isOwn(place: string): boolean {
  return place.startsWith("src/");
}

test("a foreign line is the bundle's own, the header counted", async () => {
  const text = readFileSync(bundle, "utf8").split("\n");
  const { logs } = await runTask("fails");
  const frames = logs.flatMap((record) => record.error_detail?.[0]?.frames ?? []);
  const lines = frames
    .filter(({ filename }) => filename === bundle)
    .map(({ lineno }) => text[lineno - 1]);
  assert.ok(lines.some((line) => line?.trim() === "return call();"));
});

test("the names of Node's own errors stay whole", async () => {
  const { xcoms } = await runTask("node_error");
  assert.match(String(xcoms["return_value"]), /^TypeError \[ERR_INVALID_ARG_TYPE\]: /);
  assert.match(String(xcoms["return_value"]), /at .*src\/tasks\.ts:16:12/);
});

test("import.meta names the bundle", async () => {
  const { xcoms } = await runTask("places");
  assert.equal(xcoms["return_value"], [`file://${bundle}`, bundle, join(folder, "out")]);
});

test("nothing of the machine is in the bundle", () => {
  const text = readFileSync(bundle, "latin1");
  assert.is(text.includes(folder), false);
  const map = /function __parlanceSourceMap\(\)\{return "([^"]+)"/g;
  const [found] = [...text.matchAll(map)].slice(-1);
  const { sources } = JSON.parse(Buffer.from(found?.[1] ?? "", "base64").toString()) as {
    sources: string[];
  };
  assert.is(sources.join().includes(folder), false);
  assert.ok(sources.includes("src/load.ts") && !sources.join().includes("node_modules"));
});

test("an entry that throws at its start is shown with its own line", async () => {
  write("src/throws.ts", 'const text: string = "at the start";\n\nthrow new Error(text);\n');
  const args = ["pack", "src/throws.ts", "--out", join(folder, "never")];
  const run = await parlance(args, { cwd: project });
  assert.match(run.stderr, /at the start/);
  assert.match(run.stderr, /src\/throws\.ts:3:7/);
  assert.not(/node:internal|\[eval\]|Node\.js v/.test(run.stderr), run.stderr);
});

test("the map of the own files says what the whole map says, and nothing of others", async () => {
  const { bundleEntry } = await import(distFile("pack/build/bundle-entry.js"));
  const { ownSourceMap } = await import(distFile("pack/build/source-map.js"));
  const { program, sourceMap } = await bundleEntry("src/tasks.ts", project);
  const whole = new SourceMap(sourceMap);
  const own = new SourceMap(
    ownSourceMap(sourceMap, (source: string) => (isOwn(source) ? source : undefined), 2),
  );
  const seen = { own: 0, foreign: 0 };
  for (const [line, text] of (program as string).split("\n").entries()) {
    for (let column = 0; column <= Math.min(text.length, 60); column++) {
      const expected = placeOf(whole, line, column);
      const isWanted = expected !== undefined && isOwn(expected);
      assert.is(placeOf(own, line + 2, column), isWanted ? expected : undefined);
      seen[isWanted ? "own" : "foreign"]++;
    }
  }
  assert.ok(seen.own > 200 && seen.foreign > 10_000, JSON.stringify(seen));
});

function placeOf(map: SourceMap, line: number, column: number): string | undefined {
  const entry = map.findEntry(line, column) as Partial<SourceMapping>;
  if (entry.originalSource === undefined) return undefined;
  return `${entry.originalSource}:${entry.originalLine}:${entry.originalColumn}`;
}

function distFile(name: string): string {
  return new URL(`../dist/${name}`, import.meta.url).href;
}

test.run();
