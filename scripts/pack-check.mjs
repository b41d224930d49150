// npm run pack:check: what a user gets. Packs the public packages, checks the tarballs with
// publint and attw, installs them in an empty folder outside the repository, runs the README's
// ten-line task, a project made by `parlance init` and `parlance retry` there, and hands the packed
// result to the real supervisor of Airflow 3.3.2.
//
//   node scripts/pack-check.mjs [--json=FILE] [--keep]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture, checker } from "./lib/checker.mjs";
import { packTarballs } from "./lib/tarballs.mjs";
import { ensureBuilt, ROOT } from "./lib/workspace.mjs";
import { ensurePeers } from "./peers.mjs";

const { values } = parseArgs({
  options: { json: { type: "string" }, keep: { type: "boolean", default: false } },
});
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), "parlance-pack-check-"));
if (!values.keep) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const { check, skip, totals } = checker();

/** What packages/dev/page/bundle.mjs makes, of sources that are not in the tarball. */
const PAGE = ["app.js", "app.css", "index.html", "icon.svg", "licenses.txt"].map(
  (name) => `package/dist/page/${name}`,
);
const tarballs = await packTarballs(join(folder, "tarballs"));
for (const { name, tarball, hasExports } of tarballs) {
  await check(`${name} holds what was compiled from its sources`, () => checkFiles(tarball));
  await check(`publint ${name}`, () => tool("publint/src/cli.js", ["run", tarball, "--strict"]));
  // attw looks at types and exports; a package that is only a command has neither.
  if (hasExports) {
    await check(`attw ${name}`, () =>
      tool("@arethetypeswrong/cli/dist/index.js", [tarball, "--profile", "esm-only", "--no-emoji"]),
    );
  }
}
await tryTenLines();
await tryInit();
await tryRetry();
report();

/** A module that was renamed or removed stays in `dist` until somebody cleans it. */
async function checkFiles(tarball) {
  const names = (await capture("tar", ["-tzf", tarball])).trim().split("\n");
  const sources = new Set(names.filter((name) => name.startsWith("package/src/")));
  const isCompiled = (name) =>
    sources.has(
      name.replace("package/dist/", "package/src/").replace(/(?:\.js|\.d\.ts)(?:\.map)?$/, ".ts"),
    );
  const foreign = names.filter(
    (name) => name.startsWith("package/dist/") && !isCompiled(name) && !PAGE.includes(name),
  );
  if (foreign.length > 0) throw new Error(`no source has made ${foreign.join(", ")}: clean dist`);
}

function tool(script, args) {
  return capture(process.execPath, [join(ROOT, "node_modules", script), ...args], { cwd: folder });
}

async function tryTenLines() {
  const app = join(folder, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(app, "tasks.ts"), tenLineTask());
  await check("npm install of the tarballs", () => install(app, []));
  await check("the ten lines have the right types", () => typecheck(app, ["tasks.ts"]));
  await check("npx parlance run", async () => {
    const out = await capture(
      "npx",
      ["parlance", "run", "tasks.ts", "--dag", "greetings", "--json"],
      { cwd: app },
    );
    const [task] = JSON.parse(out).tasks;
    expect(task.finalState, "success");
    expect(task.xcoms.return_value, "Hello, world!");
  });
  await check("npx parlance pack", async () => {
    mkdirSync(join(app, "executables"));
    await capture("npx", ["parlance", "pack", "tasks.ts", "--out", "executables/greetings"], {
      cwd: app,
    });
  });
  await onAirflow(join(app, "executables"));
}

async function onAirflow(executables) {
  const name = "the result runs on the supervisor of Airflow 3.3.2";
  const peer = (await ensurePeers(["airflow-3.3.2"], { log: console.error }))["airflow-3.3.2"];
  if (peer.missing !== undefined) return skip(name, peer.missing);
  await check(name, async () => {
    const { superviseTasks } = await import("../packages/test-kit/dist/index.js");
    const [result] = await superviseTasks({
      version: "3.3.2",
      launch: { bundlesRoot: executables },
      tasks: [{ dagId: "greetings", taskId: "greet" }],
    });
    expect(result.finalState, "success");
    expect(result.xcoms.find(({ key }) => key === "return_value")?.value, "Hello, world!");
  });
}

async function tryInit() {
  const app = join(folder, "my-tasks");
  await check("npx parlance init", () =>
    capture("npx", ["parlance", "init", app], { cwd: join(folder, "app") }),
  );
  await check("the new project installs", () => install(app, ["--no-save"]));
  await check("the new project has the right types", () => typecheck(app, []));
  await check("the new project runs", async () => {
    const out = await capture("npm", ["start", "--silent", "--", "--json"], { cwd: app });
    expect(
      JSON.parse(out)
        .tasks.map((task) => task.finalState)
        .join(),
      "success,success",
    );
  });
  await check("the new project packs", async () => {
    await capture("npm", ["run", "pack", "--silent"], { cwd: app });
    expect(existsSync(join(app, "dist/my_tasks")), true);
  });
}

async function tryRetry() {
  const app = join(folder, "app");
  await check("npx parlance retry plan", async () => {
    const flags =
      "--dag etl --task load --logical-date 2026-01-02T03:04:05Z --multiplier 2 --tries 3";
    const argv = ["parlance", "retry", "plan", ...flags.split(" "), "--json"];
    const { waits } = JSON.parse(await capture("npx", argv, { cwd: app }));
    expect(waits.map(({ delayUs }) => delayUs).join(), "512000000,835000000");
  });
  // What reads the files is a program in Python, which has to be in the tarball.
  await check("npx parlance retry migrate", async () => {
    writeFileSync(join(app, "etl.py"), "Op(retry_exponential_backoff=True)\n");
    await capture("npx", ["parlance", "retry", "migrate", "--write", "etl.py"], { cwd: app });
    expect(readFileSync(join(app, "etl.py"), "utf8"), "Op(retry_exponential_backoff=2.0)\n");
  });
}

/** Installs our tarballs; what they need besides comes from the registry. */
function install(app, flags) {
  const files = tarballs.map(({ tarball }) => tarball);
  return capture(
    "npm",
    ["install", "--no-audit", "--no-fund", "--loglevel=error", ...flags, ...files],
    { cwd: app },
  );
}

function typecheck(app, files) {
  const flags = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--strict",
    "--noEmit",
    "--types",
    "node",
  ];
  const types = join(app, "node_modules/@types");
  if (!existsSync(join(types, "node")))
    flags.push("--typeRoots", join(ROOT, "node_modules/@types"));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return capture(process.execPath, [tsc, ...(files.length > 0 ? [...flags, ...files] : [])], {
    cwd: app,
  });
}

function tenLineTask() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const block = /<!-- pack:check[^>]*-->\n```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  if (block === undefined) throw new Error("README.md has no block after <!-- pack:check … -->");
  return block;
}

function expect(actual, expected) {
  if (actual !== expected)
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

function report() {
  const { passed, failed, skipped } = totals;
  console.log(`pack:check: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(totals));
  process.exitCode = failed > 0 ? 1 : 0;
}
