import type { SchemaVersion } from "@parlance/protocol";

/** What to start for one task. */
export interface TaskCommand {
  readonly argv: readonly string[];
  readonly schemaVersion: SchemaVersion;
}

/**
 * A command can't be built: there is no bundle for the Dag, say. `code` and message reach the
 * {@link TaskResult}; `details` go into the task's log.
 */
export class TaskCommandError extends Error {
  readonly code: string;
  readonly details: { readonly [key: string]: unknown };

  constructor(
    code: string,
    message: string,
    details: { readonly [key: string]: unknown } = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

Object.defineProperty(TaskCommandError.prototype, "name", { value: "TaskCommandError" });
