// How often stock Airflow idles for seconds after a task of ours has ended.
//
//   node bench/exit-tail.mjs [--tasks=100] [--airflow=3.3.2] [--json]
//
// Airflow's supervisor notices an exit only when a socket wakes it, or after its heartbeat
// interval (5 s). When all channels end a moment before the process can be reaped, it sleeps
// for the whole interval. This runs a task that does nothing, many times in one supervisor
// process, with the SDK's exit holder and without it; a task counts as late from 1 s on.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, mustRun, ROOT } from "../scripts/lib/workspace.mjs";
import { ensurePeers } from "../scripts/peers.mjs";
import { temporaryFolder } from "./lib/temporary-folder.mjs";

const LATE_MS = 1000;
const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "100" },
    airflow: { type: "string", default: "3.3.2" },
    json: { type: "boolean", default: false },
  },
});
const tasks = Number(values.tasks);
await ensureBuilt();
const name = `airflow-${values.airflow}`;
const peer = (await ensurePeers([name], { log: console.error }))[name];
if (peer.missing !== undefined) {
  console.error(`exit-tail: ${peer.missing}`);
  process.exit(69);
}
const { superviseBatch } = await import("../packages/test-kit/dist/index.js");
const folder = temporaryFolder();

const rows = [];
for (const exitHolder of [true, false]) rows.push(await measure(exitHolder));
if (values.json) console.log(JSON.stringify(rows));

async function measure(exitHolder) {
  const root = join(folder, exitHolder ? "holder" : "plain");
  mkdirSync(root);
  const entry = join(root, "tasks.ts");
  const sdk = join(ROOT, "packages/sdk-node/dist/index.js");
  writeFileSync(
    entry,
    `import { Bundle, serve } from ${JSON.stringify(sdk)};
const bundle = new Bundle();
bundle.task("exit_tail", "nothing", async () => "done");
serve(bundle, { exitHolder: ${exitHolder} });
`,
  );
  const bin = join(ROOT, "packages/cli/bin/parlance.js");
  await mustRun("Packing", process.execPath, [bin, "pack", entry, "--out", join(root, "tasks")]);
  const batch = await superviseBatch(
    {
      version: values.airflow,
      launch: { bundlesRoot: root },
      tasks: [{ dagId: "exit_tail", taskId: "nothing" }],
      deadlineMs: tasks * 6_000 + 60_000,
    },
    tasks + 1,
  );
  // The first task of a supervisor process also pays for its lazy imports.
  const wallMs = batch.wallMs.slice(1);
  const { medianMs, minMs, finalStates } = batch;
  const late = wallMs.filter((ms) => ms >= LATE_MS).length;
  if (!values.json) {
    console.log(
      `Airflow ${values.airflow}, exit holder ${exitHolder ? "on " : "off"}: ${late} of ${tasks} tasks late, ` +
        `median ${Math.round(medianMs)} ms, least ${Math.round(minMs)} ms, states: ${finalStates.join(", ")}`,
    );
  }
  return { airflow: values.airflow, exitHolder, tasks, late, medianMs, minMs, finalStates };
}
