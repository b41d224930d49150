import { ArgvCoordinator } from "../../packages/coordinator/dist/index.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { packHelloWorld, runBareNode } from "../lib/node-process.mjs";
import { runTask } from "../lib/run-task.mjs";

const AT_ONCE = 50;

/** Until the last one is done; on a few cores that is the sum of what they cost. */
export const row = {
  name: "launch-50",
  what: "50 SDK tasks at once",
  against: "50 bare `node -e 0` at once",
  must: 1.25,
  aim: 1.05,
  better: "lower",
  unit: "ms",
  async measure() {
    // As many are slow to start on a few cores: that is not what is measured.
    const options = { argv: [await packHelloWorld()], startupTimeoutMs: 60_000 };
    const coordinator = new ArgvCoordinator(options);
    return interleave({
      rounds: 5,
      ours: () => elapsedMs(() => atOnce(() => runTask(coordinator))),
      limit: () => elapsedMs(() => atOnce(runBareNode)),
    });
  },
};

function atOnce(run) {
  return Promise.all(Array.from({ length: AT_ONCE }, run));
}
