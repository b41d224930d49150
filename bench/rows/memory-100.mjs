import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freeChild } from "../lib/free-child.mjs";
import { interleave } from "../lib/interleave.mjs";

const HOST = fileURLToPath(new URL("../programs/coordinator-with-children.mjs", import.meta.url));
const EMPTY = "setTimeout(() => console.log(process.memoryUsage.rss()), 500)";
const CHILDREN = 100;
const MEBIBYTE = 2 ** 20;

const run = promisify(execFile);

/** The coordinator's process alone, while 100 children are connected and have their first frame. */
export const row = {
  name: "memory-100",
  what: "resident memory of a coordinator with 100 children",
  against: "an empty Node process",
  must: 2,
  aim: 1.4,
  better: "lower",
  unit: "MiB",
  measure({ note }) {
    const child = freeChild("stay", note);
    return interleave({
      rounds: 3,
      warmUps: 0,
      ours: () => residentMebibytes([HOST, String(CHILDREN), ...child]),
      limit: () => residentMebibytes(["-e", EMPTY]),
    });
  },
};

async function residentMebibytes(args) {
  const { stdout } = await run(process.execPath, args);
  return Number(stdout) / MEBIBYTE;
}
