import type { Database } from "../database/database.ts";
import type { MigrateOptions, MigrationReport } from "../database/migration.ts";
import type { ResultNode } from "../results-tree/result-node.ts";
import { cleanUp } from "./cleanup/clean-up.ts";
import type { SaveGroupOptions } from "./groups.ts";
import type {
  CleanupOptions,
  CleanupProgress,
  GetOptions,
  ListOptions,
  WaitOptions,
} from "./options.ts";
import { readTask } from "./read-task.ts";
import type { StoreContext } from "./store-context.ts";
import type { StoreInput, StoreOutcome } from "./store-input.ts";
import type { ResultGroup, TaskMeta, TaskSummary } from "./task-meta.ts";
import { waitForTask } from "./wait-for-task.ts";
import { writeTask } from "./write-task.ts";

/**
 * The two tables of Celery's database result backend. Made by {@link openResultStore}.
 *
 * One store is one pool of connections, for one process and one thread: a forked or worker thread
 * opens its own. Every operation but `wait`, `list` and `cleanup` is one statement or two; none holds
 * a transaction open while it waits for anything but the database.
 *
 * Every operation may throw a ResultsError: `store-failed`, `get-failed` or `operation-failed` when
 * the database still failed after the retries, `bad-value` for an argument of the wrong kind,
 * `closed` after `close`.
 */
export class ResultStore {
  readonly #context: StoreContext;
  /** The pool below, for what has no operation here. */
  readonly database: Database;

  /** @internal use `openResultStore` */
  constructor(context: StoreContext) {
    this.#context = context;
    this.database = context.database;
  }

  /**
   * Writes the state of a task, whatever state it had, unless that is `SUCCESS`, which is final:
   * then nothing is written and the outcome says so. Never throws for that.
   *
   * @param taskId 1 to 155 characters
   * @throws ResultsError `bad-state`, `bad-value`, `stamp-name`, `value-too-large` before anything is sent;
   *   `store-failed`
   * @throws SerializerError `cannot-encode`
   */
  store(taskId: string, input: StoreInput): Promise<StoreOutcome> {
    return writeTask(this.#context, taskId, input);
  }

  /**
   * What the row of a task says; a placeholder with state `PENDING` where there is none.
   *
   * @throws ResultsError `get-failed`
   * @throws SerializerError `cannot-decode` or `pickle-refused` for a row that can't be read, unless
   *   `undecodable` is `"keep"`
   */
  get(taskId: string, options?: GetOptions): Promise<TaskMeta> {
    return readTask(this.#context, taskId, options);
  }

  /** Whether there is a row, in whatever state; tells an unknown task from a waiting one. */
  async exists(taskId: string): Promise<boolean> {
    const { taskExists } = await import("./task-exists.ts");
    return taskExists(this.#context, taskId);
  }

  /** Deletes the row of a task. @returns whether there was one */
  async forget(taskId: string): Promise<boolean> {
    const { forgetTask } = await import("./forget-task.ts");
    return forgetTask(this.#context, taskId);
  }

  /**
   * Saves a group for `restoreGroup` and for Celery's `GroupResult.restore`.
   *
   * @param members tasks and groups; an id stands for a task without parent
   * @throws ResultsError `group-exists` when the id is taken, unless `replace` is set
   * @throws SerializerError `cannot-encode` for a member that is neither a node nor an id
   */
  async saveGroup(
    groupId: string,
    members: readonly (ResultNode | string)[],
    options?: SaveGroupOptions,
  ): Promise<void> {
    const { saveGroup } = await import("./groups.ts");
    return saveGroup(this.#context, groupId, members, options);
  }

  /**
   * @returns `null` where there is no such group, or its row holds `null`
   * @throws SerializerError `cannot-decode` for a row that holds no group
   */
  async restoreGroup(groupId: string): Promise<ResultGroup | null> {
    const { restoreGroup } = await import("./groups.ts");
    return restoreGroup(this.#context, groupId);
  }

  /** Deletes a saved group, not its members. @returns whether there was one */
  async deleteGroup(groupId: string): Promise<boolean> {
    const { deleteGroup } = await import("./groups.ts");
    return deleteGroup(this.#context, groupId);
  }

  /**
   * Removes tasks and groups whose `date_done` is older than an age, in batches of some
   * milliseconds, each a transaction of its own. Rows without `date_done` (unfinished tasks) stay,
   * as in Celery.
   *
   * @throws ResultsError `aborted`; what was removed by then stays removed
   */
  cleanup(options?: CleanupOptions): Promise<CleanupProgress> {
    return cleanUp(this.#context, options);
  }

  /**
   * Looks until a task is over (SUCCESS, FAILURE or REVOKED).
   *
   * @throws TaskFailure for FAILURE and REVOKED, unless `propagate` is false
   * @throws ResultsError `timeout`, or `aborted`
   */
  wait(taskId: string, options?: WaitOptions): Promise<TaskMeta> {
    return waitForTask((id) => readTask(this.#context, id), this.#context.clock, taskId, options);
  }

  /**
   * The rows, oldest row first, fetched in pages: memory stays flat, and no connection or
   * transaction is held while the caller is busy. A row that is added meanwhile may be seen.
   *
   * @throws ResultsError `aborted`
   */
  async *list(options?: ListOptions): AsyncGenerator<TaskSummary, void, undefined> {
    const { listTasks } = await import("./list-tasks.ts");
    yield* listTasks(this.#context, options);
  }

  /** Makes what the tables lack, or says what that is; see `migrate`. */
  migrate(options?: MigrateOptions): Promise<MigrationReport> {
    return this.database.migrate(options);
  }

  /** Waits for running operations and closes the connections; idempotent. */
  close(): Promise<void> {
    return this.#context.database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
