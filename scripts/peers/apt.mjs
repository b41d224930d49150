// Debian packages as files, through the machine's own apt and sources but without changing it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MissingPeer, PEERS_FOLDER, run, runOrMiss, tellingLines } from "./commands.mjs";

// Whatever runs Node has these, and two C libraries in one process do not mix.
export const LEFT_TO_THE_SYSTEM = ["libc6", "libgcc-s1", "libstdc++6"];

/**
 * Downloads packages into `folder`. Where the machine's package lists are missing or too old
 * (a fresh container has none), lists of our own are fetched for it.
 *
 * @param {readonly string[]} packages
 * @param {string} folder empty
 * @param {{ withMissing?: boolean }} [options] `withMissing`: also what they need and this machine lacks
 */
export async function aptDownload(packages, folder, log, { withMissing = false } = {}) {
  const first = await download(packages, folder, withMissing, {});
  if (first.code === 0) return;
  if (first.code === undefined) {
    throw new MissingPeer("there is no apt-get here: the peer comes from Debian's packages");
  }
  for (const name of readdirSync(folder)) rmSync(join(folder, name)); // what came of it
  log("the machine's package lists do not do; fetching lists of our own");
  const state = join(PEERS_FOLDER, "apt");
  try {
    const env = { APT_CONFIG: await privateConfiguration(state) };
    // One source of many that can't be reached is no obstacle: the download decides.
    const update = await run("apt-get", ["update", "--quiet"], { cwd: folder, env });
    const again = await download(packages, folder, withMissing, env);
    if (again.code === 0) return;
    const said = tellingLines(`${again.output}\n${update.code === 0 ? "" : update.output}`);
    throw new MissingPeer(`apt-get download ${packages.join(" ")} failed: ${said}`);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

async function download(packages, folder, withMissing, env) {
  const options = { cwd: folder, env };
  const names = new Set(packages);
  if (withMissing) {
    // apt itself works out what an install would bring; a simulation needs no root.
    const flags = ["install", "--simulate", "--no-install-recommends"];
    const plan = await run("apt-get", [...flags, ...packages], options);
    if (plan.code !== 0) return plan;
    for (const [, name] of plan.stdout.matchAll(/^Inst (\S+)/gm)) names.add(name);
    for (const name of LEFT_TO_THE_SYSTEM) names.delete(name);
  }
  return await run("apt-get", ["download", "--quiet", ...names], options);
}

/** A `.peers` that was brought along to another system is of no use there. */
export function distribution() {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "unknown";
  }
}

/** The machine's configuration with other folders for state and cache, and without its hooks. */
async function privateConfiguration(state) {
  for (const name of ["lists/partial", "cache/archives/partial"]) {
    mkdirSync(join(state, name), { recursive: true });
  }
  const dump = await runOrMiss("apt-config", ["dump"], "apt's configuration could not be read");
  // Hooks of `apt-get update` may clean up after it: the machine's files, not ours.
  const dropped = /^(APT::Update::|DPkg::|Dir::State::lists|Dir::Cache|Dir::Etc::(parts|main)\b)/i;
  const lines = [
    ...dump.split("\n").filter((line) => !dropped.test(line)),
    `Dir::State::lists ${JSON.stringify(join(state, "lists"))};`,
    `Dir::Cache ${JSON.stringify(join(state, "cache"))};`,
    'Dir::Etc::parts "/dev/null";',
    'Dir::Etc::main "/dev/null";',
    // Root's downloads are done by another user, who may not be let into the checkout.
    'APT::Sandbox::User "";',
    'Acquire::Retries "1";',
    'Acquire::http::Timeout "20";',
  ];
  const file = join(state, "apt.conf");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
