import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type ExecuteTaskRequest,
  type LogRecord,
  MemoryTaskStore,
  SubprocessCoordinator,
  type SubprocessCoordinatorOptions,
  type TaskCommand,
  type TaskResult,
  type TaskStore,
} from "@parlance/coordinator";
import { skip } from "@parlance/test-kit";

const CHILD = fileURLToPath(new URL("../../../test/load/fixtures/child.pl", import.meta.url));
const PERL = "/usr/bin/perl";

/** Marks the processes of this test file, so that what is left of them is found. */
export const MARK = `PARLANCE_LOAD_${process.pid}`;

/** Registers the tests where the cheap runtime and /proc are there, else one skip that says so. */
export function withPerl(
  test: Parameters<typeof skip>[0],
  name: string,
  register: () => void,
): void {
  if (process.platform === "linux" && existsSync(PERL)) register();
  else skip(test, name, "needs /proc and /usr/bin/perl: its children are made of them");
}

/** Runs `fixtures/child.pl`; the task id says what it plays: `ok-1`, `flood-log-200`. */
export class LoadCoordinator extends SubprocessCoordinator {
  constructor(options: SubprocessCoordinatorOptions = {}) {
    super({ startupTimeoutMs: 60_000, killGraceMs: 500, env: { T_MARK: MARK }, ...options });
  }

  protected override async buildExecuteTaskCommand({
    taskInstance: { taskId },
  }: ExecuteTaskRequest): Promise<TaskCommand> {
    const at = taskId.lastIndexOf("-");
    const argv = [PERL, CHILD, taskId.slice(0, at), taskId.slice(at + 1)];
    return { argv, schemaVersion: "2026-06-16" };
  }
}

/** What a play left. */
export interface Played {
  readonly result: TaskResult;
  /** What its log channel said. */
  readonly events: unknown[];
  /** What the coordinator said. */
  readonly supervisor: string[];
  /** What the store says of the instance. */
  readonly state: string | null | undefined;
}

/** Plays one scene to its end. */
export async function play(
  coordinator: LoadCoordinator,
  taskId: string,
  request: Partial<ExecuteTaskRequest> & { readonly onRecord?: (record: LogRecord) => void } = {},
): Promise<Played> {
  const { onRecord, store = new MemoryTaskStore(), ...rest } = request;
  const events: unknown[] = [];
  const supervisor: string[] = [];
  const taskInstance = { dagId: "load", taskId, runId: "r", tryNumber: 1, ...rest.taskInstance };
  const result = await coordinator.executeTask({
    logSink: {
      write(record) {
        onRecord?.(record);
        if (record.logger === "task") events.push(record.event);
        if (record.logger === "parlance.supervisor") supervisor.push(String(record.event));
      },
    },
    ...rest,
    taskInstance,
    store,
  });
  return { result, events, supervisor, state: await stateOf(store, taskId) };
}

/** What the store says of an instance. */
export async function stateOf(
  store: TaskStore,
  taskId: string,
): Promise<string | null | undefined> {
  const [instance] = await store.taskInstances.list({ dagId: "load", taskIds: [taskId] });
  return instance?.state;
}

/** A store with what the scenes ask for. */
export async function loadStore(): Promise<MemoryTaskStore> {
  const store = new MemoryTaskStore();
  await store.variables.set({ key: "v", value: "small", description: null });
  await store.variables.set({ key: "large", value: "l".repeat(65_536), description: null });
  return store;
}
