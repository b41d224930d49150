// npm run conformance: the conformance kit against a runtime of this repository.
//
//   node scripts/conformance.mjs [--runtime=node|go|java|python] [--json=FILE] [further options of `parlance conformance`]
//
// Builds and packs what it lacks. Our own SDK is held to all that it declares; the small runtimes under
// examples/runtimes to every MUST. With --json the counts {passed, failed, skipped} are written there.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildRuntime, RUNTIMES } from "./lib/conformance-runtimes.mjs";
import { ensureBuilt, ROOT } from "./lib/workspace.mjs";

const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { runtime: { type: "string", default: "node" }, json: { type: "string" } },
});
const OWN = new Set(["runtime", "json"]);
const further = tokens
  .filter(({ kind, name }) => kind === "positional" || (kind === "option" && !OWN.has(name)))
  .map((token) => process.argv.slice(2)[token.index]);

if (RUNTIMES[values.runtime] === undefined) {
  console.error(
    `conformance: there is no runtime ${values.runtime}; known: ${Object.keys(RUNTIMES).join(", ")}`,
  );
  process.exit(2);
}
await ensureBuilt();
const work = join(ROOT, ".demo/conformance");
mkdirSync(work, { recursive: true });
const built = await buildRuntime(values.runtime, work);
if (built.missing !== undefined) {
  console.error(`conformance: ${built.missing}`);
  process.exit(1);
}
const report = join(work, `${values.runtime}.json`);
const code = await parlance([
  "conformance",
  ...built.options,
  ...further,
  ...(values.json === undefined ? [] : ["--report=json", `--out=${report}`]),
  "--",
  ...built.argv,
]);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(counts(report, code)));
process.exitCode = code;

function parlance(args) {
  return new Promise((resolve) => {
    const bin = join(ROOT, "packages/cli/bin/parlance.js");
    const child = spawn(process.execPath, [bin, ...args], { cwd: ROOT, stdio: "inherit" });
    child.on("close", (exitCode) => resolve(exitCode ?? 1));
  });
}

/** Every run of a case counts; a failure below the asked level is none here. */
function counts(file, exitCode) {
  const { cases } = JSON.parse(readFileSync(file, "utf8"));
  const passed = cases.filter(({ outcome }) => outcome === "passed").length;
  return { passed, failed: exitCode === 0 ? 0 : Math.max(1, cases.length - passed), skipped: 0 };
}
