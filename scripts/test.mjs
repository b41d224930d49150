// npm test: everything, peers included. npm run test:unit: the unit tests alone (< 60 s).
//
//   node scripts/test.mjs [--only=STAGE[,STAGE]] [--long]
//
// Installs, builds and fetches what is missing. The last line on stdout is
// `N passed, N failed, N skipped`, added up from the stages' own counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STAGES } from "./lib/stages.mjs";
import { ensureBuilt } from "./lib/workspace.mjs";

const { values } = parseArgs({
  options: { only: { type: "string" }, long: { type: "boolean", default: false } },
});
const names = values.only?.split(",") ?? Object.keys(STAGES);
const unknown = names.filter((name) => STAGES[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `test: unknown stage ${unknown.join(", ")}; known: ${Object.keys(STAGES).join(", ")}`,
  );
  process.exit(2);
}

await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), "parlance-counts-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const totals = { passed: 0, failed: 0, skipped: 0 };
const unsteady = [];
for (const name of names) {
  const startedAt = Date.now();
  console.error(`\n── ${name}`);
  const counts = await runStage(name);
  for (const key of Object.keys(totals)) totals[key] += counts[key];
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.error(`── ${name}: ${line(counts)} (${seconds} s)`);
  unsteady.push(...(counts.unsteady ?? []).map((file) => `${name}: ${file}`));
}
for (const file of unsteady) console.error(`unsteady, passed only when run again alone: ${file}`);
console.log(line(totals));
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;

/** A stage that ends badly without counting a failure still counts as one. */
async function runStage(name) {
  const countsFile = join(folder, `${name}.json`);
  const outcome = await STAGES[name]({ countsFile, long: values.long });
  if (outcome.skip !== undefined) {
    const ci = process.env.CI === "true";
    console.error(`${ci ? "FAIL" : "skip"} ${name}: ${outcome.skip}`);
    return { passed: 0, failed: ci ? 1 : 0, skipped: ci ? 0 : 1 };
  }
  let counts;
  try {
    counts = JSON.parse(readFileSync(countsFile, "utf8"));
  } catch {
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  if (outcome.code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
