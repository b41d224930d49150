import { spawn } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildChildEnvironment } from "../../packages/coordinator/dist/index.js";
import { mustRun, ROOT } from "../../scripts/lib/workspace.mjs";
import { temporaryFolder } from "./temporary-folder.mjs";

const entryOf = (handler) => `import { Bundle, serve } from "@parlance/sdk-node";

const bundle = new Bundle();
bundle.task("bench", "nothing", ${handler});
serve(bundle);
`;

/**
 * Packs the smallest task with `parlance pack`, in a project of its own that has the SDK installed.
 *
 * @param {string} handler the task's handler, as it is written
 * @returns the bundle's path
 */
export async function packHelloWorld(handler = 'async () => "hello, world"') {
  const folder = temporaryFolder();
  for (const name of ["sdk-node", "framing", "protocol"]) {
    for (const part of ["package.json", "dist", "validators"]) {
      const source = join(ROOT, "packages", name, part);
      const target = join(folder, "node_modules/@parlance", name, part);
      if (existsSync(source)) cpSync(source, target, { recursive: true });
    }
  }
  const [entry, bundle] = [join(folder, "tasks.ts"), join(folder, "hello-world")];
  writeFileSync(entry, entryOf(handler));
  const cli = join(ROOT, "packages/cli/bin/parlance.js");
  await mustRun("Packing", process.execPath, [cli, "pack", entry, "--out", bundle]);
  return bundle;
}

/** Runs `node -e 0` from spawn to exit: what nothing at all costs in Node. */
export function runBareNode() {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore", env: buildChildEnvironment() })
      .on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`node -e 0: ${code}`))))
      .on("error", reject);
  });
}
