// npm run demo: the main job on the embedded store. Installs, builds, packs the example,
// runs its tasks under our own coordinator, and says what to do next.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ROOT, run } from "./lib/workspace.mjs";

const startedAt = Date.now();
const EXAMPLE = "examples/sales-pipeline";
const BUNDLE = ".demo/sales-pipeline";
const STORE = ".demo/store.db";

step(1, "installing and building");
await ensureBuilt();

step(2, `packing ${EXAMPLE}/src/tasks.ts for Airflow`);
rmSync(join(ROOT, ".demo"), { recursive: true, force: true });
mkdirSync(join(ROOT, ".demo"));
await parlance("pack", `${EXAMPLE}/src/tasks.ts`, "--out", BUNDLE, "--source");

step(3, "running its tasks under our own coordinator; publish fails on its first try, on purpose");
await parlance(
  ...["run", BUNDLE, "--dag", "sales_pipeline"],
  ...["--seed-store", `${EXAMPLE}/store.json`, "--store", `sqlite:${STORE}`],
);

const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
step(4, `done in ${seconds} s. What next:`);
console.log(`
  Change a handler      ${EXAMPLE}/src/tasks.ts, then: cd ${EXAMPLE} && npm start
  Look into the bundle  node_modules/.bin/parlance bundle inspect ${BUNDLE}
  Start your own        node_modules/.bin/parlance init my-tasks
  Put it on Airflow     copy ${BUNDLE} into executables_root and
                        ${EXAMPLE}/dags/sales_pipeline.py into the Dags folder (README.md)
`);

function step(number, text) {
  console.error(`\n[${number}/4] ${text}`);
}

async function parlance(...args) {
  const bin = join(ROOT, "packages/cli/bin/parlance.js");
  const code = await run(process.execPath, [bin, ...args], { stdout: "inherit" });
  if (code === 0) return;
  console.error(`\nThe demo stopped: parlance ${args.join(" ")} ended with ${code}.`);
  process.exit(1);
}
