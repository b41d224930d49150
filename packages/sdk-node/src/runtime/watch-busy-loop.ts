import { Worker } from "node:worker_threads";

/** Runs in a thread of its own: the main one hears nothing while it is busy. */
const WATCH = `
const { workerData: { ms } } = require("node:worker_threads");
setTimeout(() => {
  const text = "parlance: killed: the handler is busy and did not end at its execution timeout\\n";
  try { require("node:fs").writeSync(2, text); } catch {}
  process.kill(process.pid, "SIGKILL");
}, ms);
`;

/**
 * Kills this process when nobody has called it off by then. Nothing is reported: Airflow takes a
 * process that was killed for a failure, and retries it where retries are left.
 *
 * @returns calls it off
 */
export function watchBusyLoop(ms: number): () => void {
  const worker = new Worker(WATCH, {
    ...{ eval: true, workerData: { ms }, stdout: false, stderr: false },
    ...{ execArgv: [], argv: [], env: {} },
  });
  worker.on("error", () => {}); // no thread to be had: then nobody watches
  worker.unref();
  return () => void worker.terminate();
}
