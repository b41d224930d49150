import {
  type FoundTaskInstance,
  type LogRecord,
  MemoryTaskStore,
  openSqliteTaskStore,
  seedStore,
  type TaskStore,
  toExactJson,
} from "@parlance/coordinator";
import { type AirflowVersion, temporaryFolder } from "@parlance/test-kit";
import {
  type PythonTask,
  type PythonTaskResult,
  type PythonTasks,
  RUN_ID,
} from "./python-tasks.ts";
import { seedOf } from "./recordings.ts";

export type StoreKind = "memory" | "SQLite";

/** What a {@link Flow} works with: a store of its own, and tasks of the recorded Dag. */
export class FlowContext {
  readonly version: AirflowVersion;
  readonly store: TaskStore;
  readonly #tasks: PythonTasks;

  private constructor(version: AirflowVersion, store: TaskStore, tasks: PythonTasks) {
    this.version = version;
    this.store = store;
    this.#tasks = tasks;
  }

  static async open(
    version: AirflowVersion,
    kind: StoreKind,
    tasks: PythonTasks,
  ): Promise<FlowContext> {
    const file = `${temporaryFolder("parlance-flow")}/store.db`;
    const store = kind === "memory" ? new MemoryTaskStore() : await openSqliteTaskStore(file);
    const { variables, connections } = seedOf("") as { variables: object; connections: object };
    await seedStore(store, { variables, connections });
    return new FlowContext(version, store, tasks);
  }

  readonly run = (taskId: string, task: Partial<PythonTask> = {}): Promise<PythonTaskResult> =>
    this.#tasks.run(taskId, { store: this.store, ...task });

  /** What a task left, by key, as exact JSON. */
  readonly xcoms = async (
    taskId: string,
    mapIndex = -1,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const found = await this.store.xcoms.list({ dagId: "proof", runId: RUN_ID, taskId, mapIndex });
    return Object.fromEntries(found.map(({ key, value }) => [key, toExactJson(value)]));
  };

  /** The row of a task instance, which has to be there. */
  readonly instance = async (taskId: string, mapIndex = -1): Promise<FoundTaskInstance> => {
    const ref = { dagId: "proof", runId: RUN_ID, taskId, mapIndex };
    const found = await this.store.taskInstances.get(ref);
    if (found === undefined) throw new Error(`the store has no ${taskId}`);
    return found;
  };
}

/** Some tasks one after the other, and what has to come of them. */
export type Flow = (context: FlowContext) => Promise<void>;

/** What a task printed, line by line. */
export function printed(records: readonly LogRecord[]): readonly string[] {
  return records.filter(({ logger }) => logger === "task.stdout").map(({ event }) => String(event));
}
