// npm run check: holds docs/wire.md and the cases of the conformance kit to each other. Every line that says MUST, SHOULD or
// MAY names the cases that hold a runtime to it, or the reason why no kit can; every case is named by a line of its tier.
// Needs built packages (npm run build).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DIMENSIONS, loadCases } from "../packages/conformance/dist/index.js";
import { compareDemands, readDemands } from "./lib/wire-cases.mjs";
import { ROOT } from "./lib/workspace.mjs";

const demands = readDemands(readFileSync(join(ROOT, "docs/wire.md"), "utf8"));
const faults = compareDemands(demands, loadCases(), DIMENSIONS);
if (faults.length > 0) {
  console.error(faults.map((fault) => `check-wire-cases: docs/wire.md: ${fault}`).join("\n"));
  process.exit(1);
}
console.error(`check-wire-cases: ${demands.length} lines of docs/wire.md keep to the cases`);
