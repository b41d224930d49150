// Writes the matrix of every capabilities.yaml of this repository into the README beside it, by
// `parlance capabilities render`.
//
//   node scripts/capabilities.mjs [--check]     --check writes nothing, exit 1 where one is stale
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, ROOT, run } from "./lib/workspace.mjs";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
await ensureBuilt();
const declarations = ["packages", "examples/runtimes"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name)))
  .map((folder) => join(folder, "capabilities.yaml"))
  .filter((file) => existsSync(file));
const command = [join(ROOT, "packages/cli/bin/parlance.js"), "capabilities", "render"];
const flags = values.check ? ["--check"] : [];
process.exitCode = await run(process.execPath, [...command, ...flags, ...declarations]);
