import { homedir } from "node:os";
import { delimiter } from "node:path";
import { walkFiles } from "@parlance/bundle";
import { isSchemaVersion, SCHEMA_VERSIONS } from "@parlance/protocol";
import type { JarManifest } from "./jar-manifest.ts";
import {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
} from "./subprocess-coordinator.ts";
import { type TaskCommand, TaskCommandError } from "./task-command.ts";

/** Where a {@link JavaCoordinator} finds jars, and how they are run. */
export interface JavaCoordinatorOptions extends SubprocessCoordinatorOptions {
  /** Folders, or single jars; all jars below them are the class path. A leading `~` is the home. */
  readonly jarsRoot: string | readonly string[];
  /** Default `java`, looked up on the child's PATH. */
  readonly javaExecutable?: string | undefined;
  /** Arguments of the virtual machine, e.g. `-Xmx512m`. */
  readonly jvmArgs?: readonly string[] | undefined;
  /** Default: the `Main-Class` of the first jar that has one. */
  readonly mainClass?: string | undefined;
}

/** One jar that could not be read. */
interface RejectedJar {
  readonly path: string;
  readonly reason: string;
}

/**
 * Runs tasks in a Java virtual machine, as the class of this name of Airflow 3.3 does:
 * `java -classpath ALL:JARS JVM_ARGS MAIN_CLASS --comm=… --logs=…`. The main class comes from the
 * manifest of a jar, or from the options; the schema version from the manifest entry
 * `Airflow-Supervisor-Schema-Version` of any jar. Jars are looked through sorted by name, where
 * Airflow takes the operating system's order.
 */
export class JavaCoordinator extends SubprocessCoordinator {
  readonly #roots: readonly string[];
  readonly #java: string;
  readonly #jvmArgs: readonly string[];
  readonly #mainClass: string | undefined;

  constructor(options: JavaCoordinatorOptions) {
    super(options);
    const { jarsRoot, javaExecutable = "java", jvmArgs = [], mainClass } = options;
    const roots = typeof jarsRoot === "string" ? [jarsRoot] : jarsRoot;
    if (roots.length === 0) throw new TypeError("JavaCoordinator: jarsRoot names no folder");
    this.#roots = roots.map((root) => root.replace(/^~(?=\/|$)/, () => homedir()));
    this.#java = javaExecutable;
    this.#jvmArgs = [...jvmArgs];
    this.#mainClass = mainClass === "" ? undefined : mainClass;
  }

  protected override async buildExecuteTaskCommand(): Promise<TaskCommand> {
    const jars = findJars(this.#roots);
    const rejected: RejectedJar[] = [];
    const { mainClass, schemaVersion } = await this.#readManifests(jars, rejected);
    const where = this.#roots.join(delimiter);
    const fail = (what: string): never => {
      throw new TaskCommandError("bundle-not-found", what, { rejected });
    };
    if (mainClass === null) {
      return fail(
        this.#mainClass === undefined
          ? `no jar in ${where} has a Main-Class in its manifest`
          : `no jar in ${where} has the Main-Class ${this.#mainClass} in its manifest`,
      );
    }
    if (schemaVersion === null) {
      return fail(
        `no jar in ${where} has Airflow-Supervisor-Schema-Version in its manifest; the jar of the Java SDK has it: deploy it as it is, or copy the entry when repackaging`,
      );
    }
    if (!isSchemaVersion(schemaVersion)) {
      return fail(
        `Airflow-Supervisor-Schema-Version is ${JSON.stringify(schemaVersion)}; known here: ${SCHEMA_VERSIONS.join(", ")}`,
      );
    }
    const classPath = [...jars].sort().join(delimiter);
    const argv = [this.#java, "-classpath", classPath, ...this.#jvmArgs, mainClass];
    return { argv, schemaVersion };
  }

  /** As Airflow: later jars replace what earlier ones gave, until both entries are there. */
  async #readManifests(
    jars: readonly string[],
    rejected: RejectedJar[],
  ): Promise<{ readonly mainClass: string | null; readonly schemaVersion: string | null }> {
    let mainClass: string | null = null;
    let schemaVersion: string | null = null;
    for (const path of jars) {
      const manifest = await manifestOf(path, rejected);
      const offered = manifest?.mainClass ?? null;
      if (offered !== null && offered === (this.#mainClass ?? offered)) mainClass = offered;
      schemaVersion = manifest?.schemaVersion ?? schemaVersion;
      if (mainClass !== null && schemaVersion !== null) break;
    }
    return { mainClass, schemaVersion };
  }
}

async function manifestOf(path: string, rejected: RejectedJar[]): Promise<JarManifest | undefined> {
  try {
    const { readJarManifest } = await import("./jar-manifest.ts");
    return await readJarManifest(path);
  } catch (error) {
    rejected.push({ path, reason: `can't be read as a jar: ${(error as Error).message}` });
    return undefined;
  }
}

function findJars(roots: readonly string[]): readonly string[] {
  const jars: string[] = [];
  for (const { path, reason } of walkFiles(roots)) {
    if (reason === undefined && typeof path === "string" && path.endsWith(".jar")) jars.push(path);
  }
  return jars;
}
