// Runs COUNT tasks with one child each, two at a time, and prints {"ms","cpuMs","rssBytes","baseBytes"}: the time for all
// and the processor time of this process for it, the largest resident memory of this process, and that before the first task.
//
//   tasks-one-by-one.mjs dag|plain layers|wide|mapped COUNT ARGV…
//
// "dag": one Dag under the engine, its store a new SQLite file. "plain": the coordinator alone, a store in memory for each
// task, as the rows for single launches do it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DagRunner, readSerializedDag } from "../../packages/coordinator/dist/dag-run.js";
import { ArgvCoordinator, openSqliteTaskStore } from "../../packages/coordinator/dist/index.js";
import { dagDocument } from "../lib/dag-document.mjs";
import { runTask } from "../lib/run-task.mjs";

const AT_ONCE = 2;
/** The first tasks of a process also pay for what it loads and compiles late. */
const WARM_UPS = 20;

const [mode, shape, countText, ...argv] = process.argv.slice(2);
const count = Number(countText);
const coordinator = new ArgvCoordinator({ argv, startupTimeoutMs: 60_000 });
const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const run = mode === "dag" ? await dagMode() : plain;
await run(WARM_UPS);
const baseBytes = process.memoryUsage.rss();
let rssBytes = baseBytes;
const sampling = setInterval(() => {
  rssBytes = Math.max(rssBytes, process.memoryUsage.rss());
}, 20);
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await run(count);
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(sampling);
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000, rssBytes, baseBytes }));
process.exit();

async function plain(tasks) {
  let left = tasks;
  const worker = async () => {
    while (left-- > 0) await runTask(coordinator);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function dagMode() {
  const store = await openSqliteTaskStore(join(folder, "store.sqlite"));
  const runner = new DagRunner(store, { parallel: AT_ONCE });
  return async (tasks) => {
    const dag = readSerializedDag(dagDocument(shape, tasks));
    const started = await runner.start({ dag, coordinator, runId: `of_${tasks}` });
    const { state, instances, note } = await started.ended;
    const succeeded = instances.filter((one) => one.state === "success").length;
    if (state === "success" && succeeded === tasks) return;
    throw new Error(`the run ended as ${state} with ${succeeded} successes of ${tasks}; ${note}`);
  };
}
