// Java libraries from Maven Central, in a local repository of the checkout.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MissingPeer, PEERS_FOLDER, REPOSITORY, run, runOrMiss } from "./commands.mjs";

/**
 * What `mvn package` of a project needs: with `settings.xml` (`mvn --settings`) it works without the network.
 * Java and Maven are the machine's own.
 *
 * @param {string} project the folder of a pom.xml, named from the root of the repository
 */
export function mavenPeer(project) {
  const pom = join(REPOSITORY, project, "pom.xml");
  return {
    executable: "settings.xml",
    pins: () => readFileSync(pom, "utf8"),
    async install(folder) {
      for (const command of ["javac", "mvn"]) {
        const { code } = await run(command, ["--version"]);
        if (code === undefined) throw new MissingPeer(`there is no ${command} here`);
      }
      const settings = join(folder, "settings.xml");
      const work = join(folder, "work");
      for (const name of ["pom.xml", "src"]) {
        cpSync(join(REPOSITORY, project, name), join(work, name), { recursive: true });
      }
      const repository = join(PEERS_FOLDER, "maven-repository");
      writeFileSync(settings, settingsOf(repository, false));
      // A whole build, of a copy: it fetches all that another will want.
      const args = ["--batch-mode", "--quiet", "--settings", settings, "package"];
      const complaint = `what ${project} is built with could not be fetched`;
      await runOrMiss("mvn", args, complaint, { cwd: work });
      rmSync(work, { recursive: true });
      writeFileSync(settings, settingsOf(repository, true));
    },
  };
}

function settingsOf(repository, offline) {
  return `<settings>
  <localRepository>${repository}</localRepository>
  <offline>${offline}</offline>
</settings>
`;
}
