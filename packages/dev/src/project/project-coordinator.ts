import {
  type ExecuteTaskRequest,
  type SecretMasker,
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
  type TaskCommand,
  TaskCommandError,
  type TaskResult,
} from "@parlance/coordinator";
import type { DevProject } from "./dev-project.ts";

/**
 * Runs each attempt with the code as it is when it starts: what was mended while a task waits is in
 * its next try.
 */
export class ProjectCoordinator extends SubprocessCoordinator {
  readonly #project: DevProject;
  readonly #masker: SecretMasker;

  /** @param masker - learns the secrets of every attempt, so that nothing shows them later */
  constructor(project: DevProject, masker: SecretMasker, options: SubprocessCoordinatorOptions) {
    super(options);
    this.#project = project;
    this.#masker = masker;
  }

  override executeTask(request: ExecuteTaskRequest): Promise<TaskResult> {
    return super.executeTask({ ...request, masker: this.#masker });
  }

  protected override async buildExecuteTaskCommand(): Promise<TaskCommand> {
    const { program } = this.#project.current();
    if (program !== null) return { argv: program.argv, schemaVersion: program.schemaVersion };
    throw new TaskCommandError("no-program", "the project's code was not loaded yet");
  }
}
