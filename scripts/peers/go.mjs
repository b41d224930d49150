// Go with the modules that a project is built with.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, runOrMiss } from "./commands.mjs";
import { findCommand, writeLauncher } from "./launcher.mjs";

/**
 * `bin/go`: the toolchain is the machine's own, the modules come from the module proxy into the peer's
 * folder. `go build` then works without the network.
 *
 * @param {string} project the folder of a go.mod, named from the root of the repository
 */
export function goPeer(project) {
  const root = join(REPOSITORY, project);
  const read = (name) => readFileSync(join(root, name), "utf8");
  return {
    executable: "bin/go",
    pins: () => read("go.mod") + read("go.sum"),
    async install(folder) {
      const go = await findCommand("go");
      // Writable, so that the folder can be removed as any other.
      const env = {
        GOFLAGS: "-modcacherw",
        GOMODCACHE: join(folder, "modules"),
        GOTOOLCHAIN: "local",
      };
      const complaint = `the modules of ${project} could not be fetched, or its Go is newer than the machine's`;
      await runOrMiss(go, ["mod", "download"], complaint, { cwd: root, env });
      writeLauncher(folder, "go", go, {
        env: { ...env, GOCACHE: join(folder, "cache"), GOPROXY: "off" },
      });
    },
  };
}
