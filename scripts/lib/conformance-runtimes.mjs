// The runtimes that `npm run conformance` knows: how each is built, and what it is held to.
import { join } from "node:path";
import { mustRun, ROOT } from "./workspace.mjs";

const BIN = join(ROOT, "packages/cli/bin/parlance.js");

/** Each gives {argv, options}, or {missing: reason} where the machine lacks what it needs. */
export const RUNTIMES = {
  async node(work) {
    const bundle = join(work, "node-bundle");
    const entry = "examples/conformance/src/tasks.ts";
    await mustRun("Packing the handlers", process.execPath, [BIN, "pack", entry, "--out", bundle]);
    const declared = "packages/sdk-node/capabilities.yaml";
    return { argv: [bundle], options: ["--level=may", `--capabilities=${declared}`, "--all"] };
  },
};

/** Builds a runtime below a folder. */
export async function buildRuntime(name, work) {
  return await RUNTIMES[name](work);
}
