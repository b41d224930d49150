import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freeChild } from "../lib/free-child.mjs";
import { interleave } from "../lib/interleave.mjs";
import { stockPeer } from "../lib/stock-process.mjs";

const HOST = fileURLToPath(new URL("../programs/coordinator-with-children.mjs", import.meta.url));
const EMPTY = "setTimeout(() => console.log(process.memoryUsage.rss()), 500)";
const CHILDREN = 100;
const MEBIBYTE = 2 ** 20;

const run = promisify(execFile);

/**
 * The coordinator's process alone, while 100 children are connected and have their first frame. The
 * peer is the process that supervises ONE task in stock Airflow, which needs one for each.
 */
export const row = {
  name: "memory-100",
  what: "resident memory of a coordinator with 100 children",
  against: "an empty Node process",
  must: 2,
  aim: 1.4,
  better: "lower",
  unit: "MiB",
  peer: "airflow-3.3.2",
  async measure({ peers, note }) {
    const child = freeChild("stay", note);
    const stock = stockPeer(peers[row.peer], "stock-supervisor.py");
    const figures = await interleave({
      rounds: 3,
      warmUps: 0,
      ours: () => residentMebibytes([HOST, String(CHILDREN), ...child]),
      limit: () => residentMebibytes(["-e", EMPTY]),
      peer: stock && (() => stockMebibytes(stock, child)),
    });
    if (figures.peer !== undefined) note("the peer supervises one task, not 100");
    stock?.end();
    return figures;
  },
};

async function residentMebibytes(args) {
  const { stdout } = await run(process.execPath, args);
  return Number(stdout) / MEBIBYTE;
}

async function stockMebibytes(peer, [program, ...args]) {
  const { stock, hello } = await peer.start();
  stock.tell({ secrets: [] });
  const addresses = [`--comm=127.0.0.1:${hello.comm}`, `--logs=127.0.0.1:${hello.logs}`];
  const child = spawn(program, [...args, ...addresses], { stdio: "ignore" });
  await once(child, "spawn");
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill("SIGKILL");
  const { residentBytes } = await stock.read();
  return residentBytes / MEBIBYTE;
}
