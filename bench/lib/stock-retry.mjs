import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../programs/stock-retry.py", import.meta.url));

/**
 * Starts a Python with stock Airflow in it that calculates the next retry of these vectors.
 *
 * @returns its delays in microseconds, and `time(calls)`, the microseconds a call
 */
export async function startStockRetry(python, vectors) {
  const child = spawn(python, [SCRIPT], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("stock Airflow's calculation ended early");
    return JSON.parse(value);
  };
  const delaysUs = await ask(vectors);
  return {
    delaysUs,
    time: async (calls) => (await ask({ calls })).us,
    end: () => child.stdin.end(),
  };
}
