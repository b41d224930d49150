import { fileURLToPath } from "node:url";
import {
  ArgvCoordinator,
  type ArgvCoordinatorOptions,
  type ExecuteTaskRequest,
  type LogRecord,
  MemoryTaskStore,
  type TaskResult,
} from "@parlance/coordinator";

const CHILD = fileURLToPath(new URL("../../test/fixtures/child.mjs", import.meta.url));

/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 60_000;

/** What an attempt left. */
export interface Ran {
  readonly result: TaskResult;
  readonly logs: LogRecord[];
  readonly store: MemoryTaskStore;
  /** The child's own records. */
  readonly events: unknown[];
}

/** Runs a scenario of `fixtures/scenarios.mjs` as one attempt. */
export async function run(
  scenario: string,
  request: Partial<ExecuteTaskRequest> & { taskId?: string; shouldRetry?: boolean } = {},
  options: Partial<ArgvCoordinatorOptions> = {},
): Promise<Ran> {
  const store = (request.store as MemoryTaskStore | undefined) ?? new MemoryTaskStore();
  const logs: LogRecord[] = [];
  const coordinator = new ArgvCoordinator({
    argv: [process.execPath, CHILD, scenario],
    startupTimeoutMs: PATIENCE_MS,
    // A child that ends by itself on SIGTERM may be slow to do so; one that does not waits this out.
    killGraceMs: scenario === "stubborn" ? 300 : PATIENCE_MS,
    socketCleanupTimeoutMs: 5_000,
    ...options,
  });
  const { taskId = "t", shouldRetry = false, ...rest } = request;
  const result = await coordinator.executeTask({
    taskInstance: { dagId: "d", taskId, runId: "r", tryNumber: 1, shouldRetry },
    logSink: {
      write(record) {
        logs.push(record);
      },
    },
    ...rest,
    store,
  });
  const events = logs.filter(({ logger }) => logger === "task").map(({ event }) => event);
  return { result, logs, store, events };
}

/** The coordinator's own records. */
export const supervisorEvents = (logs: readonly LogRecord[]): string =>
  logs
    .filter(({ logger }) => logger === "parlance.supervisor")
    .map(({ level, event }) => `${level}: ${String(event)}`)
    .join("\n");
