// MariaDB's server from Debian's (or Ubuntu's) packages, unpacked, not installed: nothing of the
// user's system changes, and no root is needed. The version is the one that the distribution has.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { aptDownload, distribution, LEFT_TO_THE_SYSTEM } from "./apt.mjs";
import {
  MissingPeer,
  requireLinuxX64,
  run,
  runOrMiss,
  tellingLines,
  unpackDebs,
} from "./commands.mjs";

const SERVER = "mariadb-server-core";
// A library that is lacking may itself lack some.
const LIBRARY_ROUNDS = 3;

/**
 * `bin/mariadbd`; `share/` has its messages and the SQL of its system tables, `lib/` the
 * libraries that this machine lacks: the server needs LD_LIBRARY_PATH to be that folder.
 */
export function mariadbPeer() {
  return {
    executable: "bin/mariadbd",
    pins: () => `${SERVER}\n${distribution()}`,
    async install(folder, log) {
      requireLinuxX64("MariaDB");
      const debs = join(folder, "debs");
      const unpacked = join(folder, "unpacked");
      mkdirSync(debs);
      await aptDownload([SERVER], debs, log);
      await unpackDebs(debs, unpacked);
      const bin = join(folder, "bin");
      mkdirSync(bin);
      renameSync(join(unpacked, "usr/sbin/mariadbd"), join(bin, "mariadbd"));
      renameSync(findShare(join(unpacked, "usr/share")), join(folder, "share"));
      await addLibraries(folder, debs, unpacked, log);
      rmSync(debs, { recursive: true });
      rmSync(unpacked, { recursive: true });
    },
  };
}

async function addLibraries(folder, debs, unpacked, log) {
  const server = join(folder, "bin/mariadbd");
  const lib = join(folder, "lib");
  mkdirSync(lib);
  const seen = new Set([...LEFT_TO_THE_SYSTEM, SERVER]);
  for (let round = 0; ; round++) {
    const args = ["--no-defaults", "--version"];
    const { code, output } = await run(server, args, { env: { LD_LIBRARY_PATH: lib } });
    if (code === 0) return;
    const wanted = (await libraryPackages(debs)).filter((name) => !seen.has(name));
    if (round === LIBRARY_ROUNDS || wanted.length === 0 || !output.includes("shared libraries")) {
      throw new MissingPeer(`MariaDB does not run here: ${tellingLines(output)}`);
    }
    for (const name of wanted) seen.add(name);
    rmSync(debs, { recursive: true });
    mkdirSync(debs);
    await aptDownload(wanted, debs, log);
    await unpackDebs(debs, unpacked);
    for (const parent of ["lib", "usr/lib"]) {
      const from = join(unpacked, parent, "x86_64-linux-gnu");
      if (existsSync(from)) cpSync(from, lib, { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** The packages of libraries that the ones in `debs` depend on. */
async function libraryPackages(debs) {
  const names = [];
  for (const deb of readdirSync(debs)) {
    const complaint = `${deb} could not be read`;
    const depends = await runOrMiss("dpkg-deb", ["-f", join(debs, deb), "Depends"], complaint);
    // `a (>= 1) | b, c`: of alternatives the first is the one that the package was built with
    for (const entry of depends.split(",")) names.push(entry.trim().split(/[\s(|:]/)[0]);
  }
  return names.filter((name) => name.startsWith("lib") || name.startsWith("zlib"));
}

/** Where the SQL of the system tables lies: `mysql` up to MariaDB 10.11, later `mariadb`. */
function findShare(parent) {
  for (const name of readdirSync(parent)) {
    const files = readdirSync(join(parent, name));
    if (files.some((file) => file.endsWith("_system_tables.sql"))) return join(parent, name);
  }
  throw new MissingPeer(`${SERVER} brought no SQL for its system tables`);
}
