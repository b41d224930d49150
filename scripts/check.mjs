// npm run check: format, lint, arrows, generated files, types, the READMEs' examples. Runs all of
// it and then says what failed.
//
//   node scripts/check.mjs [--json=FILE]     FILE gets {passed, failed, skipped}
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, ROOT, run } from "./lib/workspace.mjs";

const { values } = parseArgs({ options: { json: { type: "string" } } });
await ensureInstalled();

const node = process.execPath;
const generators = readdirSync(join(ROOT, "scripts"))
  .filter((name) => /^schema-.*\.mjs$/.test(name))
  .map((name) => [`${name} is up to date`, node, [join(ROOT, "scripts", name), "--check"]]);
const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
// In a log its colours, one for each character of a change, hide what it says.
const colors = process.stderr.isTTY ? "force" : "off";
const checks = [
  ["format and lint", node, [biome, "ci", ".", `--colors=${colors}`]],
  ["arrows", node, [join(ROOT, "scripts/check-arrows.mjs")]],
  ...generators,
  ["types", node, [join(ROOT, "node_modules/typescript/bin/tsc"), "-b"]],
  ["messages-page.mjs is up to date", node, [join(ROOT, "scripts/messages-page.mjs"), "--check"]],
  ["matrices of capabilities", node, [join(ROOT, "scripts/capabilities.mjs"), "--check"]],
  ["wire.md names its cases", node, [join(ROOT, "scripts/check-wire-cases.mjs")]],
  ["README examples", node, [join(ROOT, "scripts/check-readmes.mjs")]],
];

const failed = [];
for (const [name, command, args] of checks) {
  const code = await run(command, args);
  console.error(`${code === 0 ? "ok  " : "FAIL"} ${name}`);
  if (code !== 0) failed.push(name);
}
if (values.json !== undefined) {
  const totals = { passed: checks.length - failed.length, failed: failed.length, skipped: 0 };
  writeFileSync(values.json, JSON.stringify(totals));
}
process.exitCode = failed.length > 0 ? 1 : 0;
