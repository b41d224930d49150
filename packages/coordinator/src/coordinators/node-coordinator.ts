import { findNodeBundle, NodeBundleCache } from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol";
import type { ExecuteTaskRequest } from "./base-coordinator.ts";
import { commandOfBundle } from "./command-of-bundle.ts";
import {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
} from "./subprocess-coordinator.ts";
import type { TaskCommand } from "./task-command.ts";

/** Where a {@link NodeCoordinator} looks, and what it runs. */
export interface NodeCoordinatorOptions extends SubprocessCoordinatorOptions {
  /** Folders, or single files, that hold `*.min.mjs` bundles; the first that names the Dag is run. */
  readonly bundlesRoot: string | readonly string[];
  /** The command that runs them. Default `node`, looked up on the child's PATH. */
  readonly nodeExecutable?: string | undefined;
}

/**
 * Runs the `*.min.mjs` bundle of the task's Dag with Node, as the class of this name of Airflow 3.4
 * does: `node FILE --comm=… --logs=…`. A verified bundle is not hashed again while the file is the
 * same.
 */
export class NodeCoordinator extends SubprocessCoordinator {
  readonly #roots: readonly string[];
  readonly #node: string;
  readonly #cache = new NodeBundleCache();

  constructor(options: NodeCoordinatorOptions) {
    super(options);
    const { bundlesRoot, nodeExecutable = "node" } = options;
    this.#roots = typeof bundlesRoot === "string" ? [bundlesRoot] : [...bundlesRoot];
    if (this.#roots.length === 0) {
      throw new TypeError("NodeCoordinator: bundlesRoot names no folder");
    }
    this.#node = nodeExecutable;
  }

  protected override async buildExecuteTaskCommand(
    request: ExecuteTaskRequest,
  ): Promise<TaskCommand> {
    const { dagId } = request.taskInstance;
    const found = await findNodeBundle({
      roots: this.#roots,
      dagId,
      knownSchemaVersions: SCHEMA_VERSIONS,
      cache: this.#cache,
    });
    return commandOfBundle(found, {
      what: "Node bundle (*.min.mjs)",
      roots: this.#roots,
      dagId,
      prefix: [this.#node],
    });
  }
}
