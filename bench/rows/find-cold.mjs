import { findBundle } from "../../packages/bundle/dist/index.js";
import { makeBundleTree, readdirAndStat } from "../lib/bundle-tree.mjs";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { stockPeer } from "../lib/stock-process.mjs";

/** Without a cache of ours; the files are in the page cache for both. */
export const row = {
  name: "find-cold",
  what: "find a Dag in 1,000 bundles, empty cache",
  against: "readdir + stat of the same tree",
  must: 6,
  aim: 3,
  better: "lower",
  unit: "ms",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const stock = stockPeer(peers[row.peer], "stock-bundles.py");
    const { root, dagId, count } = makeBundleTree();
    const figures = await interleave({
      rounds: 31,
      warmUps: 3,
      ours: () =>
        elapsedMs(async () => {
          const found = await findBundle({ roots: [root], dagId });
          if (found.path === null) throw new Error("it was not found");
        }),
      limit: () =>
        elapsedMs(() => {
          if (readdirAndStat(root) !== count) throw new Error("not every bundle was seen");
        }),
      peer: stock && (async () => (await stock.ask({ find: dagId, root, cold: true })).ms),
    });
    stock?.end();
    return figures;
  },
};
