import diagnosticsChannel from "node:diagnostics_channel";
import { ArgvCoordinator } from "../../packages/coordinator/dist/index.js";
import { packHelloWorld } from "../lib/node-process.mjs";
import { runTask } from "../lib/run-task.mjs";
import { percentile } from "../lib/statistics.mjs";

const TASKS = 200;
const LIMIT_MS = 50;

/**
 * From the exit event of an SDK child, heard before the coordinator hears it, until the
 * coordinator has given its verdict and closed everything. The limit is a fixed time.
 */
export const row = {
  name: "exit-to-verdict",
  what: `verdict after the child's exit event, 99th percentile of ${TASKS}`,
  against: `${LIMIT_MS} ms`,
  must: 1,
  aim: 0.2,
  better: "lower",
  unit: "ms",
  async measure({ note }) {
    const coordinator = new ArgvCoordinator({ argv: [await packHelloWorld()] });
    let exitedAt = 0;
    diagnosticsChannel.subscribe("child_process", ({ process: child }) => {
      child.prependListener("exit", () => {
        exitedAt = performance.now();
      });
    });
    const figures = [];
    for (let count = 0; count < TASKS; count++) {
      await runTask(coordinator);
      figures.push(performance.now() - exitedAt);
    }
    note(
      `median ${percentile(figures, 0.5).toFixed(2)} ms, most ${Math.max(...figures).toFixed(2)}`,
    );
    return { ours: percentile(figures, 0.99), limit: LIMIT_MS, runs: TASKS };
  },
};
