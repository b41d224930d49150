import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { bytesEqual, temporaryFolder } from "@parlance/test-kit";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { errorOf, PACKAGE, parlance } from "./support/cli.ts";

const ENTRY = join(PACKAGE, "test/fixtures/tasks.ts");
const folder = temporaryFolder();
const bundle = join(folder, "tasks");

async function inspect(file: string) {
  const run = await parlance(["bundle", "inspect", file]);
  assert.is(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as { metadata: Record<string, unknown>; problems: unknown[] };
}

test("packs an entry as one executable file with the program's own Dags", async () => {
  const run = await parlance(["pack", ENTRY, "--out", bundle, "--json"]);
  assert.is(run.code, 0, run.stderr);
  const result = JSON.parse(run.stdout) as Record<string, unknown>;
  assert.is(result["bytes"], statSync(bundle).size);
  assert.is(statSync(bundle).mode & 0o777, 0o755);
  const { metadata, problems } = await inspect(bundle);
  assert.equal(problems, []);
  assert.equal(metadata["sdk"], {
    language: "typescript",
    version: "0.1.0",
    supervisor_schema_version: "2026-06-16",
  });
  assert.equal((metadata["dags"] as Record<string, unknown>)["waits"], { tasks: ["for_ever"] });
  assert.equal(metadata["dags"], metadata["task_handlers"]);
});

test("the file runs, for our coordinator and whatever folder it lies in", async () => {
  const odd = join(folder, 'it\'s a "folder" with ümlaut $HOME');
  mkdirSync(odd);
  writeFileSync(join(odd, "package.json"), '{"type":"module"}');
  const copy = join(odd, "tasks.bundle");
  writeFileSync(copy, readFileSync(bundle));
  chmodSync(copy, 0o755);
  const run = await parlance(["run", copy, "--dag", "numbers", "--json"]);
  assert.is(run.code, 0, run.stderr);
});

test("two runs give the same bytes, wherever they are started", async () => {
  const again = join(folder, "again");
  assert.is((await parlance(["pack", ENTRY, "--out", again], { cwd: folder })).code, 0);
  bytesEqual(readFileSync(again), readFileSync(bundle));
});

test("--schema-version is written; 2026-10-30 runs under our coordinator, too", async () => {
  const newer = join(folder, "newer");
  const args = ["pack", ENTRY, "--out", newer, "--schema-version", "2026-10-30"];
  assert.is((await parlance(args)).code, 0);
  const { metadata } = await inspect(newer);
  const sdk = metadata["sdk"] as Record<string, unknown>;
  assert.is(sdk["supervisor_schema_version"], "2026-10-30");
  assert.is((await parlance(["run", newer, "--dag", "numbers", "--json"])).code, 0);
});

test("the target's folder is made", async () => {
  const out = join(folder, "new", "folder", "tasks");
  assert.is((await parlance(["pack", ENTRY, "--out", out])).code, 0);
  assert.ok(existsSync(out));
});

test("--source embeds the project's own files and no packages", async () => {
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(join(project, "src/name.ts"), 'export const dagId: string = "with_source";\n');
  const sdk = join(PACKAGE, "../sdk-node/dist/index.js");
  writeFileSync(
    join(project, "src/tasks.ts"),
    `import { Bundle, serve } from ${JSON.stringify(sdk)};
import { dagId } from "./name.ts";
const bundle = new Bundle();
bundle.task(dagId, "t", async () => import.meta.url);
serve(bundle);
`,
  );
  const out = join(folder, "with-source");
  const run = await parlance(["pack", join(project, "src/tasks.ts"), "--out", out, "--source"]);
  assert.is(run.code, 0, run.stderr);
  const { metadata } = await inspect(out);
  const paths = (metadata["sources"] as { path: string }[]).map(({ path }) => path);
  assert.equal(paths, ["src/name.ts", "src/tasks.ts"]);
  assert.is(metadata["entrypoint_path"], "src/tasks.ts");
  const source = await parlance(["bundle", "inspect", out, "--source"]);
  assert.match(source.stdout, 'export const dagId: string = "with_source";');
});

test("a worker without node is told so in words", () => {
  const run = spawnSync(bundle, ["--comm=127.0.0.1:1", "--logs=127.0.0.1:2"], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  assert.is(run.status, 127);
  assert.match(run.stderr, "needs Node.js 20.3 or newer");
});

test("the header is read by the shells at hand", () => {
  for (const shell of ["dash", "bash", "busybox"]) {
    if (spawnSync("sh", ["-c", `command -v ${shell}`]).status !== 0) continue;
    const words = shell === "busybox" ? ["busybox", "sh"] : [shell];
    const run = spawnSync(words[0] ?? "", [...words.slice(1), bundle, "--describe"], {
      encoding: "utf8",
    });
    assert.is(run.status, 0, `${shell}: ${run.stderr}`);
    assert.match(run.stdout, '"numbers"');
  }
});

function entry(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

entry("query.sql", "select 1;");

const REFUSED: readonly (readonly [string, string, string, RegExp])[] = [
  ["top-level await", "await 1; export {};", "cannot-bundle", /Move the await into a task handler/],
  [
    "a package that is not installed",
    'import "not-installed-at-all";',
    "cannot-bundle",
    /Install the package/,
  ],
  ["a syntax error", "const = 1;", "cannot-bundle", /:1:7/],
  [
    "a file of an unknown kind",
    'import "./query.sql";',
    "cannot-bundle",
    /with \{ type: "text" \}/,
  ],
  [
    "an entry that serves nothing",
    "console.log(1);",
    "describe-failed",
    /does the entry call serve/,
  ],
  ["an entry that throws", 'throw new Error("at start");', "describe-failed", /at start/],
];
for (const [name, text, code, pattern] of REFUSED) {
  test(`refuses ${name}, and keeps the old file`, async () => {
    const out = entry("kept", "the old file");
    const run = await parlance(["pack", entry("refused.ts", text), "--out", out, "--json"]);
    assert.is(run.code, 65, run.stderr);
    assert.is(errorOf(run).code, code);
    assert.match(errorOf(run).message, pattern);
    assert.is(readFileSync(out, "utf8"), "the old file");
  });
}

test("a source file of the bundle is never its target; nor is a folder, nor nothing", async () => {
  const text = "export {};";
  const file = entry("mine.ts", text);
  for (const [out, code] of [
    [file, "same-file"],
    [join(folder, "sub/../mine.ts"), "same-file"],
    [folder, "is-directory"],
    ["", "is-directory"],
    [`${bundle}-new/`, "is-directory"],
  ] as const) {
    const packed = code === "same-file" ? file : ENTRY;
    const run = await parlance(["pack", packed, "--out", out, "--json"], { cwd: folder });
    assert.equal([run.code, run.stdout], [2, ""], run.stderr);
    assert.is(JSON.parse(run.stderr).error.code, code); // and no progress around it
  }
  assert.is(readFileSync(file, "utf8"), text);
});

test("a target that can't be written: the reason, and nothing left behind", async () => {
  const out = join(bundle, "tasks"); // below a file
  const run = await parlance(["pack", ENTRY, "--out", out, "--json"]);
  assert.is(errorOf(run).code, "cannot-write");
  assert.equal(
    readdirSync(folder).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test.run();
