import { BundleCache, findBundle } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol";
import type { ExecuteTaskRequest } from "./base-coordinator.ts";
import { commandOfBundle } from "./command-of-bundle.ts";
import {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
} from "./subprocess-coordinator.ts";
import type { TaskCommand } from "./task-command.ts";

/** Where an {@link ExecutableCoordinator} looks. */
export interface ExecutableCoordinatorOptions extends SubprocessCoordinatorOptions {
  /** Folders, or single files, that hold bundles; the first that names the Dag is run. */
  readonly executablesRoot: string | readonly string[];
}

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
    return commandOfBundle(found, { what: "executable bundle", roots: this.#roots, dagId });
  }
}
