import { BundleCache, findBundle } from "../../packages/bundle/dist/index.js";
import { makeBundleTree, readdirAndStat } from "../lib/bundle-tree.mjs";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { stockPeer } from "../lib/stock-process.mjs";

/** With the cache that a search before has filled. */
export const row = {
  name: "find-warm",
  what: "find a Dag in 1,000 bundles again",
  against: "readdir + stat of the same tree",
  must: 3,
  aim: 1,
  better: "lower",
  unit: "ms",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const stock = stockPeer(peers[row.peer], "stock-bundles.py");
    const { root, dagId, count } = makeBundleTree();
    await new Promise((resolve) => setTimeout(resolve, 200)); // what is too new is not remembered
    const cache = new BundleCache();
    const find = async () => {
      const found = await findBundle({ roots: [root], dagId, cache });
      if (found.path === null) throw new Error("it was not found");
    };
    await find();
    if (cache.size !== count) throw new Error(`${cache.size} of ${count} were remembered`);
    const figures = await interleave({
      rounds: 25,
      warmUps: 5,
      ours: () => elapsedMs(find),
      limit: () =>
        elapsedMs(() => {
          if (readdirAndStat(root) !== count) throw new Error("not every bundle was seen");
        }),
      peer: stock && (async () => (await stock.ask({ find: dagId, root, cold: false })).ms),
    });
    stock?.end();
    return figures;
  },
};
