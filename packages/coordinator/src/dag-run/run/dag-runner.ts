import { availableParallelism } from "node:os";
import type { SqliteTaskStore } from "../../store/sqlite-task-store.ts";
import { makeAttemptsFolder } from "../files/attempt-files.ts";
import { type Candidate, chooseStarts } from "../rules/limits.ts";
import { DagRunError } from "./dag-run-error.ts";
import type { EngineHost } from "./engine-host.ts";
import { prepareRun } from "./prepare-run.ts";
import { RunEngine } from "./run-engine.ts";
import { lockRun } from "./run-lock.ts";
import type {
  ActiveRun,
  DagRunnerApi,
  DagRunnerOptions,
  RunEvent,
  StartRunRequest,
} from "./runner-types.ts";

/** Slots of Airflow's default pool. */
const DEFAULT_SLOTS = 128;

/**
 * Runs Dags on this machine: which task may start when is decided as Airflow's scheduler decides it,
 * each task runs in a process of its own, and everything is in the store before it is acted on.
 *
 * A developer's tool: nothing is scheduled by time, there are no workers on other machines.
 */
export class DagRunner implements DagRunnerApi {
  readonly #store: SqliteTaskStore;
  readonly #options: DagRunnerOptions;
  readonly #parallel: number;
  readonly #runs = new Map<
    ActiveRun,
    { readonly engine: RunEngine; readonly unlock: () => void }
  >();
  readonly #listeners = new Set<(event: RunEvent, run: ActiveRun) => void>();
  #isClosed = false;

  /** @throws RangeError for a `parallel` that is no whole number from 1 on */
  constructor(store: SqliteTaskStore, options: DagRunnerOptions = {}) {
    this.#store = store;
    this.#options = options;
    this.#parallel = options.parallel ?? availableParallelism();
    if (Number.isInteger(this.#parallel) && this.#parallel >= 1) return;
    throw new RangeError(
      `DagRunner: parallel is ${this.#parallel}; expected a whole number from 1`,
    );
  }

  /**
   * Starts a run, or takes one up again. It has begun when this settles.
   *
   * @throws DagRunError `run-locked`, `run-exists`, `bad-request`, `pool-too-small`, `closed`
   */
  async start(request: StartRunRequest): Promise<ActiveRun> {
    if (this.#isClosed) throw new DagRunError("closed", "start: the runner is closed");
    checkRequest(request);
    this.#checkPools(request);
    const { dag } = request;
    const now = this.#now();
    const runId = request.runId ?? `manual__${now.toISOString().replace("Z", "+00:00")}`;
    const folder = await makeAttemptsFolder(this.#store.file);
    const lock = await lockRun(folder, dag.dagId, runId);
    try {
      const { maxTaskRetryDelaySeconds } = this.#options;
      const options = { store: this.#store, request, runId, now, maxTaskRetryDelaySeconds };
      const prepared = await prepareRun(options);
      const engine = new RunEngine(this.#host(folder), request, prepared);
      this.#runs.set(engine, { engine, unlock: lock.release });
      await engine.start().catch((error: unknown) => {
        this.#runs.delete(engine);
        throw error;
      });
      return engine;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  active(): readonly ActiveRun[] {
    return [...this.#runs.keys()];
  }

  onEvent(listener: (event: RunEvent, run: ActiveRun) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#runs.keys()].map((run) => run.cancel()));
  }

  #host(folder: string): EngineHost {
    const { keepFrames = true, maxTaskRetryDelaySeconds } = this.#options;
    return {
      ...{ store: this.#store, folder, keepFrames, maxTaskRetryDelaySeconds },
      now: () => this.#now(),
      fill: () => this.#fill(),
      emit: (event, run) => {
        for (const listener of this.#listeners) listener(event, run);
      },
      ended: (run) => {
        this.#runs.get(run)?.unlock();
        this.#runs.delete(run);
        this.#fill();
      },
    };
  }

  /** Starts what there is room for, over all runs. */
  #fill(): void {
    const runs = [...this.#runs.values()].map(({ engine }) => engine);
    const sum = (of: (run: RunEngine) => number): number =>
      runs.reduce((total, run) => total + of(run), 0);
    const free = this.#parallel - sum(({ usage }) => usage.running);
    if (free <= 0) return;
    const candidates = runs.flatMap((run, place) => run.candidates(free, place));
    const chosen = chooseStarts(candidates, {
      free,
      freeInRun: (place) => runs[place]?.free ?? 0,
      freeSlots: (pool) => this.#slots(pool) - sum(({ usage }) => usage.slots(pool)),
      active: ({ dagId, task, runPlace }) => ({
        inRun: runs[runPlace]?.usage.ofTask(task.taskId) ?? 0,
        inDag: sum((run) => (run.dagId === dagId ? run.usage.ofTask(task.taskId) : 0)),
      }),
    });
    for (const [place, run] of runs.entries()) {
      const own = chosen.filter((one: Candidate) => one.runPlace === place);
      if (own.length > 0) run.begin(own);
    }
  }

  #checkPools({ dag }: StartRunRequest): void {
    for (const { taskId, pool, poolSlots } of dag.tasks) {
      if (poolSlots <= this.#slots(pool)) continue;
      const message = `task ${JSON.stringify(taskId)} needs ${poolSlots} slots of the pool ${JSON.stringify(pool)}, which has ${this.#slots(pool)}: it could never start`;
      throw new DagRunError("pool-too-small", message);
    }
  }

  #slots(pool: string): number {
    const { pools } = this.#options;
    return pools !== undefined && Object.hasOwn(pools, pool) ? (pools[pool] ?? 0) : DEFAULT_SLOTS;
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }
}

function checkRequest({ timeScale, parallel, runId }: StartRunRequest): void {
  if (timeScale !== undefined && !(timeScale >= 0 && timeScale <= 1000)) {
    throw new DagRunError("bad-request", `start: timeScale is ${timeScale}; expected 0 to 1000`);
  }
  if (parallel !== undefined && !(Number.isInteger(parallel) && parallel >= 1)) {
    const message = `start: parallel is ${parallel}; expected a whole number from 1`;
    throw new DagRunError("bad-request", message);
  }
  if (runId === "") throw new DagRunError("bad-request", "start: runId is empty");
}
