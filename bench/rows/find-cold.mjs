import { findBundle } from "../../packages/bundle/dist/index.js";
import { makeBundleTree, readdirAndStat } from "../lib/bundle-tree.mjs";
import { elapsedMs, interleave } from "../lib/interleave.mjs";

/** Without a cache of ours; the files are in the page cache for both. */
export const row = {
  name: "find-cold",
  what: "find a Dag in 1,000 bundles, empty cache",
  against: "readdir + stat of the same tree",
  must: 6,
  aim: 3,
  better: "lower",
  unit: "ms",
  measure() {
    const { root, dagId, count } = makeBundleTree();
    return interleave({
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
    });
  },
};
