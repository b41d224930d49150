import { ArgvCoordinator, MemoryTaskStore } from "../../packages/coordinator/dist/index.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { packHelloWorld, runBareNode } from "../lib/node-process.mjs";
import { runTask } from "../lib/run-task.mjs";

/**
 * From the spawn of a packed task, which pushes "hello, world", to the coordinator's look into its
 * store for that: Node's own start, the program's, two connections that were found to be the
 * task's, the startup details, the handler and its first request. Not one of the rows of
 * reference/performance.md: it shows which part of `launch-task` is the start.
 */
export const row = {
  name: "first-request",
  what: "a task under our coordinator with an SDK child, spawn to its first request",
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
      ours: () => untilFirstRequest(coordinator),
      limit: () => elapsedMs(runBareNode),
    });
  },
};

async function untilFirstRequest(coordinator) {
  const store = new MemoryTaskStore();
  const { set } = store.xcoms;
  const startedAt = performance.now();
  let ms;
  store.xcoms.set = (...args) => {
    ms ??= performance.now() - startedAt;
    return set.apply(store.xcoms, args);
  };
  await runTask(coordinator, { store });
  return ms;
}
