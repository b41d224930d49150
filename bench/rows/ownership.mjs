import { createOwnershipChecker } from "../../packages/coordinator/dist/index.js";
import { readProcessStat } from "../../packages/coordinator/dist/ownership/process-stat.js";
import { interleave } from "../lib/interleave.mjs";
import { fillMachine, startTree } from "../lib/ownership-load.mjs";
import { startStockChecker } from "../lib/stock-ownership.mjs";

const TREES = [1, 10, 200];

/**
 * Whose both connections are, asked the way a coordinator asks first: ours in one check, stock in
 * one call for each. The row shows the tree and the load where we are worst against stock.
 */
export const row = {
  name: "ownership",
  what: "both sockets, trees of 1/10/200, quiet and with 2,000 processes + 5,000 sockets (worst)",
  against: "psutil as stock does it",
  must: 0.4,
  aim: 0.15,
  better: "lower",
  unit: "ms",
  peers: ["airflow-3.3.2"],
  async measure({ peers, note }) {
    const stock = await startStockChecker(peers["airflow-3.3.2"]);
    const checker = await createOwnershipChecker({ method: "proc" });
    const cases = [];
    const measureTrees = async (load) => {
      for (const size of TREES) {
        const figures = await measureTree(size, checker, stock);
        const ratio = (figures.ours / figures.limit).toFixed(2);
        const [ours, limit] = [figures.ours.toFixed(2), figures.limit.toFixed(1)];
        note(`${load}, tree of ${size}: ${ours} ms against ${limit} ms, ${ratio}x`);
        cases.push(figures);
      }
    };
    await measureTrees("quiet");
    const emptyMachine = await fillMachine();
    await measureTrees("2,000 processes + 5,000 sockets").finally(emptyMachine);
    stock.end();
    const worst = cases.reduce((worst, one) =>
      one.ours / one.limit > worst.ours / worst.limit ? one : worst,
    );
    return { ...worst, peer: worst.limit };
  },
};

async function measureTree(size, checker, stock) {
  const tree = await startTree(size);
  const root = { pid: tree.pid, startTime: readProcessStat("/proc", tree.pid).startTime };
  const demand = (owned) => {
    if (!owned.every(Boolean)) throw new Error(`tree of ${size}: a connection was not found`);
  };
  const figures = await interleave({
    rounds: 15,
    warmUps: 3,
    ours: async () => {
      const startedAt = performance.now();
      const owned = await checker.check(root, tree.connections, { thorough: false });
      const ms = performance.now() - startedAt;
      demand(owned);
      return ms;
    },
    limit: async () => {
      const { ms, owned } = await stock.check(tree);
      demand(owned);
      return ms;
    },
  });
  await tree.end();
  return figures;
}
