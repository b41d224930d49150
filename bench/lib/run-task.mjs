import { MemoryTaskStore } from "../../packages/coordinator/dist/index.js";

const INSTANCE = { dagId: "bench", taskId: "nothing", runId: "run", tryNumber: 1 };

/**
 * Runs one task attempt with a store and a log sink of its own.
 *
 * @throws Error with its log when it does not end as success
 */
export async function runTask(coordinator, options = {}) {
  const logs = [];
  const result = await coordinator.executeTask({
    taskInstance: INSTANCE,
    store: new MemoryTaskStore(),
    logSink: { write: (record) => void logs.push(record) },
    ...options,
  });
  if (result.finalState !== "success") {
    throw new Error(
      `the task ended as ${JSON.stringify(result)}; its log: ${JSON.stringify(logs)}`,
    );
  }
}
