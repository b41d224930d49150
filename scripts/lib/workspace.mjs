// What every script starts with: the root, and an installed and built checkout.
// Plain Node without dependencies: this runs before anything is installed.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Reads a JSON file, named from the root. */
export function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8"));
}

/** The folders of all packages that are ours, named from the root. */
export function packageFolders() {
  const inside = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  return [...inside, "integration"].filter((path) => existsSync(join(ROOT, path, "package.json")));
}

/**
 * Runs a command from the root. Its output goes to this process's stderr, so that
 * stdout stays free for what the script itself prints.
 *
 * @returns the exit code; rejects only when the command cannot be started
 */
export function run(command, args, { env = {}, stdout = "stderr", cwd = ROOT } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", stdout === "inherit" ? "inherit" : 2, 2],
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

/** As `run`; a failure ends this process with the command's name and exit code. */
export async function mustRun(what, command, args, options) {
  const code = await run(command, args, options);
  if (code === 0) return;
  console.error(`\n${what} failed: ${command} ${args.join(" ")} ended with ${code}`);
  process.exit(code);
}

/** The version in `packageManager`; pnpm itself comes through npx (corepack does not work on Node 20). */
export function pnpm(args) {
  const version = readJson("package.json").packageManager.split("@")[1];
  return ["npx", ["-y", `pnpm@${version}`, ...args]];
}

/** Installs the workspace when `node_modules` is missing or older than the lockfile. */
export async function ensureInstalled() {
  const marker = join(ROOT, "node_modules/.modules.yaml");
  const lockfile = join(ROOT, "pnpm-lock.yaml");
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lockfile).mtimeMs) return;
  const [command, args] = pnpm(["install", "--frozen-lockfile"]);
  await mustRun("Installing the packages", command, args);
}

/** Installs if need be, compiles everything that changed (`tsc -b`) and bundles the page of `parlance dev`. */
export async function ensureBuilt() {
  await ensureInstalled();
  await mustRun("Compiling", process.execPath, [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "-b",
  ]);
  await mustRun("Bundling the page", process.execPath, [
    join(ROOT, "packages/dev/page/bundle.mjs"),
  ]);
}
