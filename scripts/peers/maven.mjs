// Maven with the Java libraries that a project is built with.
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, runOrMiss } from "./commands.mjs";
import { findCommand, writeLauncher } from "./launcher.mjs";

/**
 * `bin/mvn`: Maven and Java are the machine's own, plugins and libraries come from Maven Central into the
 * peer's folder. `mvn package` then works without the network.
 *
 * @param {string} project the folder of a pom.xml, named from the root of the repository
 */
export function mavenPeer(project) {
  return {
    executable: "bin/mvn",
    pins: () => readFileSync(join(REPOSITORY, project, "pom.xml"), "utf8"),
    async install(folder) {
      await findCommand("javac");
      const maven = await findCommand("mvn");
      const work = join(folder, "work");
      for (const name of ["pom.xml", "src"]) {
        cpSync(join(REPOSITORY, project, name), join(work, name), { recursive: true });
      }
      const args = ["--batch-mode", `-Dmaven.repo.local=${join(folder, "repository")}`];
      // A whole build, of a copy: it fetches all that another will want.
      const complaint = `what ${project} is built with could not be fetched`;
      await runOrMiss(maven, [...args, "--quiet", "package"], complaint, { cwd: work });
      rmSync(work, { recursive: true });
      writeLauncher(folder, "mvn", maven, { args: [...args, "--offline"] });
    },
  };
}
