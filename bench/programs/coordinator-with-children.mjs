// A coordinator that runs as many children as it is told, prints its resident memory in bytes as
// soon as all of them have connected, and ends with them.
//
//   coordinator-with-children.mjs COUNT ARGV…
import { ArgvCoordinator, MemoryTaskStore } from "../../packages/coordinator/dist/index.js";

const [count, ...argv] = process.argv.slice(2);
const coordinator = new ArgvCoordinator({ argv, startupTimeoutMs: 60_000 });
const abort = new AbortController();
let started = 0;
const attempts = Array.from({ length: Number(count) }, (_, at) =>
  coordinator.executeTask({
    taskInstance: { dagId: "bench", taskId: `task_${at}`, runId: "run", tryNumber: 1 },
    store: new MemoryTaskStore(),
    signal: abort.signal,
    onMessage: () => void started++, // the start-up details
  }),
);
while (started < Number(count)) await new Promise((resolve) => setTimeout(resolve, 20));
await new Promise((resolve) => setTimeout(resolve, 500));
console.log(process.memoryUsage.rss());
abort.abort();
await Promise.all(attempts);
