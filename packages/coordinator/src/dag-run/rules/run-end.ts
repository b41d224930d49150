import type { RunnableTask } from "../dag/runnable-dag.ts";
import { checkInstance } from "./check-instance.ts";
import type { CompiledDag } from "./compiled-dag.ts";
import { isSchedulable, type RunView } from "./run-view.ts";

/** How a run has ended. */
export interface RunEnd {
  readonly state: "success" | "failed";
  /** Null where the states of its last tasks say all. */
  readonly reason: string | null;
}

/**
 * The state of a run whose instances have all ended, by those of its last tasks, as Airflow judges:
 * one that failed, or could not run, fails it. Undefined while something is left.
 */
export function runEnd(view: RunView): RunEnd | undefined {
  if (view.unfinished > 0) return undefined;
  let failed: string | undefined;
  for (const taskId of decisiveTasks(view.compiled)) {
    const { failed: failures, upstreamFailed } = view.counts(taskId);
    if (failures + upstreamFailed > 0) failed ??= taskId;
  }
  return { state: failed === undefined ? "success" : "failed", reason: null };
}

/**
 * Whether nothing can ever run: no instance is under way, and of those that are left none would
 * be allowed to start even if all waits were over. Airflow calls this a deadlock, and fails the run.
 */
export function isStuck(view: RunView): boolean {
  for (const { taskId, mapIndex, state } of view.all()) {
    if (state !== null && !isSchedulable(state)) {
      if (UNDER_WAY.has(state)) return false;
      continue;
    }
    const own = view.compiled.tasks.get(taskId);
    if (own === undefined) continue;
    // Airflow looks for no deadlock where tasks wait for other runs, or for each other.
    const { dependsOnPast, maxActiveTisPerDag, maxActiveTisPerDagRun } = own.task;
    if (dependsOnPast || maxActiveTisPerDag !== null || maxActiveTisPerDagRun !== null)
      return false;
    if (checkInstance(own, mapIndex, view, { ignoreWaits: true }).kind !== "blocked") return false;
  }
  return view.unfinished > 0;
}

const UNDER_WAY: ReadonlySet<string> = new Set([
  ...["scheduled", "queued", "running", "restarting"],
  ...["deferred", "awaiting_input"],
]);

/** Tasks with nothing behind them that counts; teardowns count only where they were told to. */
function decisiveTasks({ tasks, dag }: CompiledDag): string[] {
  const counts = ({ isTeardown, onFailureFailDagRun }: RunnableTask): boolean =>
    !isTeardown || onFailureFailDagRun;
  const leaves = dag.tasks.filter((task) => {
    if (!counts(task)) return false;
    return task.downstream.every((id) => {
      const next = tasks.get(id)?.task;
      return next === undefined || !counts(next);
    });
  });
  const found =
    leaves.length > 0 ? leaves : dag.tasks.filter(({ downstream }) => downstream.length === 0);
  return found.map(({ taskId }) => taskId);
}
