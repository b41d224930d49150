import type { TaskClient } from "./client/task-client.ts";
import type { TaskContext } from "./context.ts";
import type { Logger } from "./logs/logger.ts";
import type { MappedTask } from "./outcomes/skip.ts";

/**
 * What a task of a whole Dag (`dag()`) does besides calling its handler. Only a type here: programs
 * without such a Dag carry none of it.
 */
export interface FlowTask {
  /** What its handler is called with besides what every handler gets. @throws InputError */
  argumentsFor(context: TaskContext): object;
  /**
   * Follows what the handler returned: skips what a branch did not choose, and says what was written.
   *
   * @returns what is stored as the task's result
   */
  end(value: unknown, parts: FlowTaskEnd): Promise<unknown>;
}

/** What a {@link FlowTask} ends with. */
export interface FlowTaskEnd {
  readonly client: TaskClient;
  readonly log: Logger;
  readonly skipDownstream: (tasks: readonly (string | MappedTask)[]) => Promise<void>;
  /** The report of success names it as written. */
  readonly declareOutlet: (asset: { readonly name: string; readonly uri: string }) => void;
}
