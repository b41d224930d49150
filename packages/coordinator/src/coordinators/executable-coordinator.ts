import { BundleCache, findBundle } from "@parlance/bundle";
import { isSchemaVersion, SCHEMA_VERSIONS } from "@parlance/protocol";
import type { ExecuteTaskRequest } from "./base-coordinator.ts";
import {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
  type TaskCommand,
  TaskCommandError,
} from "./subprocess-coordinator.ts";

/** Where an {@link ExecutableCoordinator} looks. */
export interface ExecutableCoordinatorOptions extends SubprocessCoordinatorOptions {
  /** Folders, or single files, that hold bundles; the first that names the Dag is run. */
  readonly executablesRoot: string | readonly string[];
}

/** Rejected candidates that the message names; the task's log has them all. */
const MAX_NAMED = 5;

/**
 * Runs the AFBNDL01 bundle of the task's Dag, as Airflow's class of this name does. What a bundle
 * was found to be is kept, so that a further task hashes nothing again.
 */
export class ExecutableCoordinator extends SubprocessCoordinator {
  readonly #roots: readonly string[];
  readonly #cache = new BundleCache();

  constructor(options: ExecutableCoordinatorOptions) {
    super(options);
    const { executablesRoot } = options;
    this.#roots = typeof executablesRoot === "string" ? [executablesRoot] : [...executablesRoot];
    if (this.#roots.length === 0) {
      throw new TypeError("ExecutableCoordinator: executablesRoot names no folder");
    }
  }

  protected override async buildExecuteTaskCommand(
    request: ExecuteTaskRequest,
  ): Promise<TaskCommand> {
    const { dagId } = request.taskInstance;
    const found = await findBundle({
      roots: this.#roots,
      dagId,
      knownSchemaVersions: SCHEMA_VERSIONS,
      cache: this.#cache,
    });
    if (found.path !== null && isSchemaVersion(found.schemaVersion)) {
      return { argv: [found.path], schemaVersion: found.schemaVersion };
    }
    const named = found.rejected
      .slice(0, MAX_NAMED)
      .map(({ path, reason }) => `${path}: ${reason}`);
    const more = found.rejected.length - named.length;
    const passedOver =
      named.length === 0
        ? ""
        : `; passed over: ${named.join("; ")}${more > 0 ? ` (and ${more} more)` : ""}`;
    throw new TaskCommandError(
      "bundle-not-found",
      `no executable bundle under ${this.#roots.join(", ")} names the Dag ${JSON.stringify(dagId)}${passedOver}`,
      { rejected: found.rejected },
    );
  }
}
