import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashRegion } from "../../packages/bundle/dist/hash-region.js";
import { elapsedMs, interleave } from "../lib/interleave.mjs";
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
  async measure() {
    const bytes = Buffer.alloc(BYTES, "parlance");
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, bytes);
    const expected = createHash("sha256").update(bytes).digest("hex");
    const demand = (digest) => {
      if (digest !== expected) throw new Error(`wrong digest ${digest}`);
    };
    return interleave({
      rounds: 9,
      ours: () =>
        elapsedMs(async () => {
          const fd = openSync(path, "r");
          demand(await hashRegion(fd, BYTES));
          closeSync(fd);
        }),
      limit: () => elapsedMs(() => demand(createHash("sha256").update(bytes).digest("hex"))),
    });
  },
};
