import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../programs/stock-ownership.py", import.meta.url));

/** Starts a Python with stock Airflow in it that checks connections when asked. */
export async function startStockChecker(python, home) {
  const checker = spawn(python, [SCRIPT], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, AIRFLOW_HOME: home },
  });
  const lines = createInterface({ input: checker.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("stock Airflow's check ended early");
    return JSON.parse(value);
  };
  await read(); // it is imported
  return {
    /** @returns how long it took, in milliseconds, and what came out */
    check({ pid, connections }) {
      const ends = ({ address, port }) => [address, port];
      const pairs = connections.map(({ peer, local }) => [ends(peer), ends(local)]);
      checker.stdin.write(`${JSON.stringify({ pid, connections: pairs })}\n`);
      return read();
    },
    end: () => checker.stdin.end(),
  };
}
