import type { CompiledTask } from "../compiled-dag.ts";
import { relevantIndexes } from "../mapping/relevant-indexes.ts";
import { isFinished, type RunView, type StateCounts } from "../run-view.ts";

/** What has become of the tasks that an instance depends on. */
export interface UpstreamCounts extends StateCounts {
  /** Those in a final state. */
  readonly done: number;
  readonly setups: { readonly total: number; readonly success: number; readonly skipped: number };
}

/** Counts the instances of some tasks above that belong to one instance. */
export function upstreamCounts(
  own: CompiledTask,
  mapIndex: number,
  upstream: readonly string[],
  view: RunView,
): UpstreamCounts {
  const { tasks } = view.compiled;
  const sum = { total: 0, success: 0, skipped: 0, failed: 0, upstreamFailed: 0, removed: 0 };
  const setups = { total: 0, success: 0, skipped: 0 };
  // Without any mapping Airflow counts tasks, else the instances there are.
  const anyMapped = upstream.some((id) => tasks.get(id)?.task.isMapped === true);
  for (const id of upstream) {
    const above = tasks.get(id);
    if (above === undefined) continue;
    const range = relevantIndexes(own, mapIndex, above, view);
    const counts = range === undefined ? view.counts(id) : countsWithin(id, range, view);
    const total = anyMapped ? counts.total : 1;
    sum.total += total;
    sum.success += counts.success;
    sum.skipped += counts.skipped;
    sum.failed += counts.failed;
    sum.upstreamFailed += counts.upstreamFailed;
    sum.removed += counts.removed;
    if (!above.task.isSetup) continue;
    setups.total += total;
    setups.success += counts.success;
    setups.skipped += counts.skipped;
  }
  const done = sum.success + sum.skipped + sum.failed + sum.upstreamFailed + sum.removed;
  return { ...sum, done, setups };
}

/** A placeholder always counts. */
function countsWithin(
  taskId: string,
  { from, to }: { readonly from: number; readonly to: number },
  view: RunView,
): StateCounts {
  const counts = { total: 0, success: 0, skipped: 0, failed: 0, upstreamFailed: 0, removed: 0 };
  const instances = view.instancesOf(taskId);
  const count = (mapIndex: number): void => {
    const state = instances.get(mapIndex);
    if (state === undefined) return;
    counts.total += 1;
    if (!isFinished(state)) return;
    if (state === "upstream_failed") counts.upstreamFailed += 1;
    else counts[state as "success" | "skipped" | "failed" | "removed"] += 1;
  };
  count(-1);
  for (let mapIndex = Math.max(0, from); mapIndex < to; mapIndex++) count(mapIndex);
  return counts;
}
