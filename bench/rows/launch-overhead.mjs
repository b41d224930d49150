import { ArgvCoordinator } from "../../packages/coordinator/dist/index.js";
import { superviseBatch } from "../../packages/test-kit/dist/index.js";
import { freeChild } from "../lib/free-child.mjs";
import { elapsedMs } from "../lib/interleave.mjs";
import { runTask } from "../lib/run-task.mjs";
import { median } from "../lib/statistics.mjs";

const ROUNDS = 3;
const TASKS = 40;
/** The first tasks of a process also pay for what it loads and compiles late. */
const WARM_UPS = 10;

/**
 * A child that costs nothing, so that the time of an attempt is its supervisor's own. Stock runs
 * `supervise_task` with an Execution API held in memory; ours has a store in memory. Both check
 * whose the connections are.
 */
export const row = {
  name: "launch-overhead",
  what: "coordinator's own share, ownership check on, a child that costs nothing",
  against: "stock Airflow's share, same child",
  must: 0.3,
  aim: 0.15,
  better: "lower",
  unit: "ms",
  peers: ["airflow-3.3.2"],
  async measure({ note }) {
    const argv = freeChild("end", note);
    const coordinator = new ArgvCoordinator({ argv });
    const figures = { ours: [], stock: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (let count = -WARM_UPS; count < TASKS; count++) {
        const ms = await elapsedMs(() => runTask(coordinator));
        if (count >= 0) figures.ours.push(ms);
      }
      figures.stock.push(...(await runStock(argv)));
    }
    const stock = median(figures.stock);
    return { ours: median(figures.ours), limit: stock, peer: stock, runs: ROUNDS * TASKS };
  },
};

async function runStock(argv) {
  const tasks = [{ dagId: "bench", taskId: "nothing" }];
  const options = { version: "3.3.2", launch: { argv }, tasks, deadlineMs: 600_000 };
  const { wallMs, finalStates } = await superviseBatch(options, WARM_UPS + TASKS);
  if (finalStates.join() !== "success") throw new Error(`stock Airflow: ${finalStates.join()}`);
  return wallMs.slice(WARM_UPS);
}
