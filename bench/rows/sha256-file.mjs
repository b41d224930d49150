import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashRegion } from "../../packages/bundle/dist/hash-region.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
import { stockPeer } from "../lib/stock-process.mjs";
import { temporaryFolder } from "../lib/temporary-folder.mjs";

const BYTES = 100_000_000;

/** What `findBundle`, `verifyBundle` and `packBundle` hash with; the file is in the page cache. */
export const row = {
  name: "sha256-file",
  what: "SHA-256 of a 100 MB file",
  against: "one-shot hash of the bytes in memory",
  must: 1.8,
  aim: 1.1,
  better: "lower",
  unit: "ms",
  peer: "airflow-3.3.2",
  async measure({ peers }) {
    const stock = stockPeer(peers[row.peer], "stock-bundles.py");
    const bytes = Buffer.alloc(BYTES, "parlance");
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, bytes);
    const expected = createHash("sha256").update(bytes).digest("hex");
    const demand = (digest) => {
      if (digest !== expected) throw new Error(`wrong digest ${digest}`);
    };
    const figures = await interleave({
      rounds: 9,
      ours: () =>
        elapsedMs(async () => {
          const fd = openSync(path, "r");
          demand(await hashRegion(fd, BYTES));
          closeSync(fd);
        }),
      limit: () => elapsedMs(() => demand(createHash("sha256").update(bytes).digest("hex"))),
      peer:
        stock &&
        (async () => {
          const { ms, digest } = await stock.ask({ hash: path });
          demand(digest);
          return ms;
        }),
    });
    stock?.end();
    return figures;
  },
};
