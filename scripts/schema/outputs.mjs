// Writes generated files, or with --check says which of them are stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT } from "./load.mjs";

/**
 * @param {string} command - what to run when a file is stale
 * @param {Map<string, string>} files - path from the repository's root -> text
 * @param {string[]} ownedFolders - folders in which every other file is left over, and removed
 */
export function writeOrCheck(command, files, ownedFolders = []) {
  const check = process.argv.includes("--check");
  const leftOver = ownedFolders.flatMap(listFiles).filter((path) => !files.has(path));
  const stale = [...files].filter(([path, text]) => read(path) !== text).map(([path]) => path);
  if (check) {
    for (const path of stale) console.error(`${path} is stale: run \`${command}\``);
    for (const path of leftOver) console.error(`${path} is left over: run \`${command}\``);
    process.exitCode = stale.length + leftOver.length > 0 ? 1 : 0;
    return;
  }
  for (const path of leftOver) rmSync(new URL(path, ROOT));
  for (const path of stale) {
    mkdirSync(new URL(".", new URL(path, ROOT)), { recursive: true });
    writeFileSync(new URL(path, ROOT), files.get(path));
  }
  console.error(`${files.size} files, ${stale.length} written, ${leftOver.length} removed`);
}

function read(path) {
  const url = new URL(path, ROOT);
  return existsSync(url) ? readFileSync(url, "utf8") : undefined;
}

function listFiles(folder) {
  const url = new URL(folder, ROOT);
  if (!existsSync(url)) return [];
  return readdirSync(fileURLToPath(url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
    .map((path) => path.slice(fileURLToPath(ROOT).length));
}
