import { openSqliteTaskStore, type SqliteTaskStore } from "@parlance/coordinator";
import {
  DagRunner,
  type DagRunnerOptions,
  openRunHistory,
  type RunEvent,
  type RunHistory,
  type RunOutcome,
  type StartRunRequest,
} from "@parlance/coordinator/dag-run";
import { runnableDag, type ShortDag } from "./dag-documents.ts";
import { FakeCoordinator, type FakeTask } from "./fake-coordinator.ts";
import { newStoreFile } from "./store-kinds.ts";

/** A runner with a store of its own. */
export interface Engine {
  readonly file: string;
  readonly store: SqliteTaskStore;
  readonly history: RunHistory;
  readonly runner: DagRunner;
  close(): Promise<void>;
}

/** Opens a runner, on a store that is there already if one is named. */
export async function openEngine(
  file: string = newStoreFile(),
  options: DagRunnerOptions = {},
): Promise<Engine> {
  const store = await openSqliteTaskStore(file);
  const runner = new DagRunner(store, { parallel: 4, keepFrames: false, ...options });
  return {
    ...{ file, store, runner, history: openRunHistory(store) },
    close: async () => {
      await runner.close();
      await store.close();
    },
  };
}

/** A run that is over, with everything that was told of it. */
export interface EngineRun {
  readonly outcome: RunOutcome;
  readonly calls: readonly string[];
  readonly mostRunning: number;
  readonly events: readonly RunEvent[];
  /** By `task` or `task[index]`. */
  readonly states: { readonly [name: string]: string | null };
}

/** Runs a Dag with fake tasks to its end. */
export async function runDag(
  engine: Engine,
  short: ShortDag,
  tasks: { readonly [taskId: string]: FakeTask } = {},
  request: Partial<StartRunRequest> = {},
): Promise<EngineRun> {
  const coordinator = new FakeCoordinator(tasks);
  const events: RunEvent[] = [];
  const run = await engine.runner.start({
    ...{ dag: runnableDag(short), coordinator, runId: "r", timeScale: 0, ...request },
    onEvent: (event) => {
      events.push(event);
      request.onEvent?.(event);
    },
  });
  const outcome = await run.ended;
  const { calls, mostRunning } = coordinator;
  return { outcome, calls, mostRunning, events, states: statesOf(outcome) };
}

/** States by `task` or `task[index]`. */
export function statesOf({ instances }: Pick<RunOutcome, "instances">): EngineRun["states"] {
  return Object.fromEntries(
    instances.map(({ taskId, mapIndex, state }) => [
      mapIndex < 0 ? taskId : `${taskId}[${mapIndex}]`,
      state,
    ]),
  );
}
