import type { BaseCoordinator } from "@parlance/coordinator";
import {
  type ActiveRun,
  type DagRunnerApi,
  dagOfTasks,
  type RunHistory,
  type RunnableDag,
  readSerializedDag,
  type StartRunRequest,
} from "@parlance/coordinator/dag-run";
import type { InstanceRef, RunStarted, StartRun } from "../api/types.ts";
import { ApiError, type ApiErrorCode } from "../http/api-error.ts";
import type { KnownDag } from "../views/dag-view.ts";

/** @see RunActions */
export interface RunActionsOptions {
  readonly history: RunHistory;
  readonly runner: DagRunnerApi;
  readonly coordinator: BaseCoordinator;
  readonly timeScale: number;
  readonly findDag: (dagId: string) => KnownDag | undefined;
  readonly onFault: (error: unknown) => void;
}

/** Runs at once: each has its own process a task, and a person can't look at more. */
const MAX_ACTIVE_RUNS = 20;

/** Starts runs and changes them. */
export class RunActions {
  readonly #options: RunActionsOptions;
  #lastId = "";

  constructor(options: RunActionsOptions) {
    this.#options = options;
  }

  isActive(dagId: string, runId: string): boolean {
    return this.#active(dagId, runId) !== undefined;
  }

  async start(dagId: string, request: StartRun): Promise<RunStarted> {
    const known = found(this.#options.findDag(dagId), "Dag");
    const dag = request.taskIds === undefined ? known.dag : chosen(known, request.taskIds);
    const { conf, logicalDate } = request;
    const runId = this.#newId();
    await this.#run({
      dag,
      runId,
      ifExists: "refuse",
      timeScale: request.timeScale ?? this.#options.timeScale,
      ...(conf !== undefined && { conf }),
      ...(logicalDate !== undefined && { logicalDate: dateOf(logicalDate) }),
    });
    return { runId };
  }

  async retry({ dagId, runId, taskId, mapIndex }: InstanceRef): Promise<void> {
    const instance = await this.#options.history.instance({ dagId, runId, taskId, mapIndex });
    const { state } = found(instance, "instance of a task");
    if (state === "running" || state === "queued" || state === "restarting") {
      throw new ApiError("conflict", `The task is ${state}.`);
    }
    const selection = { taskId, ...(mapIndex >= 0 && { mapIndex }) };
    const active = this.#active(dagId, runId);
    if (active !== undefined) {
      return await active.clear([selection]).catch((error: unknown) => refuse(error));
    }
    await this.#run({ dag: await this.#dagOfRun(dagId, runId), runId, clear: [selection] });
  }

  async resume(dagId: string, runId: string): Promise<void> {
    const { state } = found(await this.#options.history.run(dagId, runId), "run");
    if (this.isActive(dagId, runId)) throw new ApiError("conflict", "The run is going on.");
    if (state === "success") throw new ApiError("conflict", "The run was a success.");
    if (state === "failed") throw new ApiError("conflict", "Retry the tasks that have failed.");
    await this.#run({ dag: await this.#dagOfRun(dagId, runId), runId });
  }

  async cancel(dagId: string, runId: string): Promise<void> {
    const active = this.#active(dagId, runId);
    if (active === undefined) {
      found(await this.#options.history.run(dagId, runId), "run");
      throw new ApiError("conflict", "This server does not run it: there is nothing to cancel.");
    }
    // Its end is told by events: a task may take seconds to end.
    active.cancel().catch(this.#options.onFault);
  }

  async #run(request: Omit<StartRunRequest, "coordinator">): Promise<void> {
    const { runner, coordinator, onFault } = this.#options;
    if (runner.active().length >= MAX_ACTIVE_RUNS) {
      throw new ApiError("too-many", `${MAX_ACTIVE_RUNS} runs are going on: wait or cancel some.`);
    }
    try {
      const run = await runner.start({ ...request, coordinator });
      run.ended.catch(onFault);
    } catch (error) {
      refuse(error);
    }
  }

  /** A run keeps the shape that its Dag had when it began; the code of its tasks is the newest. */
  async #dagOfRun(dagId: string, runId: string): Promise<RunnableDag> {
    const document = await this.#options.history.serializedDag(dagId, runId);
    if (document !== undefined && document !== null) return readSerializedDag(document);
    return found(this.#options.findDag(dagId), "Dag").dag;
  }

  #active(dagId: string, runId: string): ActiveRun | undefined {
    const { runner } = this.#options;
    return runner.active().find((run) => run.dagId === dagId && run.runId === runId);
  }

  /** Two runs may be asked for within a millisecond. */
  #newId(): string {
    let at = Date.now();
    let id = idOf(at);
    while (id <= this.#lastId) id = idOf(++at);
    this.#lastId = id;
    return id;
  }
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function idOf(epochMs: number): string {
  return `manual__${new Date(epochMs).toISOString().replace("Z", "+00:00")}`;
}

function chosen({ dag, kind }: KnownDag, taskIds: readonly string[]): RunnableDag {
  if (kind !== "plain") {
    throw new ApiError("bad-request", "taskIds is for tasks that no Dag orders.");
  }
  const known = new Set(dag.tasks.map(({ taskId }) => taskId));
  const unknown = taskIds.find((taskId) => !known.has(taskId));
  if (unknown !== undefined) {
    throw new ApiError("bad-request", `There is no task ${JSON.stringify(unknown)}.`);
  }
  if (taskIds.length === 0) throw new ApiError("bad-request", "taskIds names no task.");
  return dagOfTasks({ dagId: dag.dagId, taskIds: [...new Set(taskIds)] });
}

function found<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new ApiError("not-found", `There is no such ${what}.`);
}

const REFUSALS: Readonly<Record<string, ApiErrorCode>> = {
  "run-locked": "conflict",
  "run-exists": "conflict",
  "bad-request": "bad-request",
  "pool-too-small": "bad-request",
  closed: "unavailable",
};

/** What the runner refuses, as an answer; anything else is a fault. */
function refuse(error: unknown): never {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const known = typeof code === "string" ? REFUSALS[code] : undefined;
  if (known === undefined || typeof message !== "string") throw error;
  throw new ApiError(known, message, { cause: error });
}
