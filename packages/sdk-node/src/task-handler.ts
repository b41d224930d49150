import type { TaskClient } from "./client/task-client.ts";
import type { TaskContext } from "./context.ts";
import type { Logger } from "./logs/logger.ts";

/** What a handler is called with. */
export interface TaskArguments {
  /** Which task, run and try this is. */
  readonly context: TaskContext;
  /** Reads and writes Variables, Connections and XComs. */
  readonly client: TaskClient;
  /** Writes to the task's log. */
  readonly log: Logger;
  /**
   * Aborts when the task is to end early: on SIGTERM or SIGINT, or when the supervisor has gone.
   * The handler then has about 3 s to clean up; its result no longer counts.
   */
  readonly signal: AbortSignal;
}

/**
 * The code of one task.
 *
 * @returns the task's result, a value JSON can hold; `undefined` and `null` mean none
 * @throws anything to fail the task; Airflow retries it when retries are left
 */
export type TaskHandler<Result = unknown> = (task: TaskArguments) => Result | Promise<Result>;
