import { DEFAULT_SCHEMA_VERSION, type SchemaVersion } from "@parlance/protocol";
import {
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
} from "./subprocess-coordinator.ts";
import type { TaskCommand } from "./task-command.ts";

/** What an {@link ArgvCoordinator} runs. */
export interface ArgvCoordinatorOptions extends SubprocessCoordinatorOptions {
  /** The program and its first arguments; `--comm=` and `--logs=` are added behind them. */
  readonly argv: readonly string[];
  /** The schema version the program speaks. Default 2026-06-16. */
  readonly schemaVersion?: SchemaVersion;
}

/** Runs a fixed command for every task. Nothing is looked up. */
export class ArgvCoordinator extends SubprocessCoordinator {
  readonly #command: TaskCommand;

  constructor(options: ArgvCoordinatorOptions) {
    super(options);
    if (options.argv.length === 0) throw new TypeError("ArgvCoordinator: argv is empty");
    this.#command = {
      argv: [...options.argv],
      schemaVersion: options.schemaVersion ?? DEFAULT_SCHEMA_VERSION,
    };
  }

  protected override async buildExecuteTaskCommand(): Promise<TaskCommand> {
    return this.#command;
  }
}
