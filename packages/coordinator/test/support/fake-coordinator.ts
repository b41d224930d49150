import {
  BaseCoordinator,
  type ExecuteTaskRequest,
  type FinalState,
  type TaskResult,
} from "@parlance/coordinator";
import { beginAttempt, endAttempt } from "../../dist/supervise/stored-attempt.js";

/** What a task does, in this process: parts of a result, or nothing for a success. */
export type FakeTask = (call: FakeCall) => unknown;

/** What a fake task can do. */
export interface FakeCall {
  readonly request: ExecuteTaskRequest;
  readonly taskId: string;
  readonly mapIndex: number;
  readonly tryNumber: number;
  /** Leaves its result, and how many elements it has. */
  push(value: unknown, length?: number): Promise<void>;
  log(event: string): Promise<void>;
  /** Settles when it is told to stop. */
  readonly stopped: Promise<void>;
}

/** Runs attempts without a process, but with everything that the store sees of one. */
export class FakeCoordinator extends BaseCoordinator {
  readonly calls: string[] = [];
  running = 0;
  mostRunning = 0;
  readonly #tasks: { readonly [taskId: string]: FakeTask };

  constructor(tasks: { readonly [taskId: string]: FakeTask } = {}) {
    super();
    this.#tasks = tasks;
  }

  override async executeTask(request: ExecuteTaskRequest): Promise<TaskResult> {
    const { taskInstance, store, signal, logSink } = request;
    const { taskId, tryNumber, mapIndex = -1, dagId, runId } = taskInstance;
    const startDate = new Date();
    this.calls.push(`${taskId}${mapIndex < 0 ? "" : `[${mapIndex}]`}#${tryNumber}`);
    const spec = await beginAttempt(request, startDate);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    const stopped = new Promise<void>((resolve) => {
      if (signal?.aborted === true) resolve();
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    const said = await this.#tasks[taskId]?.({
      ...{ request, taskId, mapIndex, tryNumber, stopped },
      push: (value, length) => {
        const ref = { dagId, runId, taskId, mapIndex, key: "return_value" };
        return store.xcoms.set(ref, value, { mappedLength: length ?? null });
      },
      log: async (event) => {
        const record = {
          timestamp: new Date().toISOString(),
          level: "info",
          logger: "task",
          event,
        };
        await logSink?.write(record as Parameters<NonNullable<typeof logSink>["write"]>[0]);
      },
    });
    this.running -= 1;
    const good = { finalState: "success", exitCode: 0, durationMs: 1 };
    const result = { ...good, ...(said as Partial<TaskResult> | undefined) } as TaskResult;
    await endAttempt(request, spec, { state: result.finalState, startDate, endDate: new Date() });
    return result;
  }
}

/** A failure, which is tried again where tries are left. */
export function fail({ request }: FakeCall): Partial<TaskResult> {
  const { maxTries = 0, tryNumber } = request.taskInstance;
  const state: FinalState = maxTries !== 0 && tryNumber <= maxTries ? "up_for_retry" : "failed";
  return { finalState: state, ...(state === "up_for_retry" && { retry: { reason: "it failed" } }) };
}
