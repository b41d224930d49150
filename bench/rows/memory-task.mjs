import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ArgvCoordinator, MemoryTaskStore } from "../../packages/coordinator/dist/index.js";
import { interleave } from "../lib/interleave.mjs";
import { packHelloWorld } from "../lib/node-process.mjs";
import { runTask } from "../lib/run-task.mjs";

const EMPTY = "console.log(process.memoryUsage.rss())";
const MEBIBYTE = 2 ** 20;

const run = promisify(execFile);

/**
 * What a packed task takes while its handler runs, connected and with its startup details read. Not
 * one of the rows of reference/performance.md, which measured 1.15 for a child with a codec only.
 */
export const row = {
  name: "memory-task",
  what: "resident memory of the smallest SDK task",
  against: "an empty Node process",
  must: 1.4,
  aim: 1.2,
  better: "lower",
  unit: "MiB",
  async measure() {
    const bundle = await packHelloWorld("async () => process.memoryUsage.rss()");
    const coordinator = new ArgvCoordinator({ argv: [bundle] });
    return interleave({
      rounds: 9,
      warmUps: 1,
      ours: () => taskMebibytes(coordinator),
      limit: async () => Number((await run(process.execPath, ["-e", EMPTY])).stdout) / MEBIBYTE,
    });
  },
};

async function taskMebibytes(coordinator) {
  const store = new MemoryTaskStore();
  await runTask(coordinator, { store });
  const { dagId, taskId, runId } = { dagId: "bench", taskId: "nothing", runId: "run" };
  const found = await store.xcoms.get({ dagId, taskId, runId, key: "return_value", mapIndex: -1 });
  return Number(found.value) / MEBIBYTE;
}
