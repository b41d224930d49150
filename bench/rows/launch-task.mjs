import { ArgvCoordinator } from "../../packages/coordinator/dist/index.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { packHelloWorld, runBareNode } from "../lib/node-process.mjs";
import { runTask } from "../lib/run-task.mjs";

/**
 * The whole of an attempt, until the coordinator has closed everything: the program is a packed
 * hello-world, so `sh` finds Node first, and its result is pushed as an XCom.
 */
export const row = {
  name: "launch-task",
  what: "a task under our coordinator with an SDK child, spawn to verdict",
  against: "`node -e 0`",
  must: 1.35,
  aim: 1.12,
  better: "lower",
  unit: "ms",
  async measure() {
    const coordinator = new ArgvCoordinator({ argv: [await packHelloWorld()] });
    return interleave({
      rounds: 31,
      warmUps: 3,
      ours: () => elapsedMs(() => runTask(coordinator)),
      limit: () => elapsedMs(runBareNode),
    });
  },
};
