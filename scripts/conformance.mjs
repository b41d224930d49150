// npm run conformance: the conformance kit against a runtime of this repository.
//
//   node scripts/conformance.mjs [--runtime=node|go|java|python|airflow-python|airflow-python-3.4.0b2] [--json=FILE]
//                                [further options of `parlance conformance`]
//   node scripts/conformance.mjs --under airflow-3.3.2|airflow-3.4.0b2 [--runtime=node|go|broken] [--case ID…]
//
// Builds and packs what it lacks. Our own SDK is held to all that it declares; the runtimes under examples/runtimes, too.
// With --json the counts {passed, failed, skipped} are written there. With --under the cases that stock Airflow can play
// are run under its own supervisor as well, and what differs is printed, case by case; exit code 1 where the list of
// differences, integration/test/conformance/stock/differences.ts, says otherwise.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildRuntime, RUNTIMES } from "./lib/conformance-runtimes.mjs";
import { ensureBuilt, ROOT } from "./lib/workspace.mjs";
import { ensurePeers } from "./peers.mjs";

const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: {
    runtime: { type: "string", default: "node" },
    json: { type: "string" },
    under: { type: "string" },
    case: { type: "string", multiple: true },
  },
});
if (values.under !== undefined) process.exit(await compareUnder(values));
const OWN = new Set(["runtime", "json"]);
const further = tokens
  .filter(({ kind, name }) => kind === "positional" || (kind === "option" && !OWN.has(name)))
  .flatMap(({ index, value, inlineValue }) => {
    const words = value !== undefined && inlineValue === false ? 2 : 1;
    return process.argv.slice(2 + index, 2 + index + words);
  });

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

async function compareUnder({ under, runtime, case: only = [] }) {
  const airflow = /^airflow-(3\.3\.2|3\.4\.0b2)$/.exec(under)?.[1];
  if (airflow === undefined || !["node", "go", "broken"].includes(runtime)) {
    console.error(
      "conformance: --under takes airflow-3.3.2 or airflow-3.4.0b2, with it --runtime node, go or broken",
    );
    return 2;
  }
  await ensureBuilt();
  const peers = await ensurePeers([under], { log: (line) => console.error(line) });
  if (peers[under].missing !== undefined) {
    console.error(`conformance: ${peers[under].missing}`);
    return 1;
  }
  const folder = join(ROOT, ".demo/conformance/under");
  mkdirSync(folder, { recursive: true });
  const compiled = join(ROOT, "integration/dist-test/conformance/stock/compare-command.js");
  const { compareUnder: run } = await import(pathToFileURL(compiled).href);
  const { text, agreed } = await run({ airflow, runtime, folder, only });
  await new Promise((resolve) => process.stdout.write(text, resolve));
  return agreed ? 0 : 1;
}

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
