import { maxTriesAfterClearing } from "@parlance/retry";
import { reachable } from "../dag/relatives.ts";
import type { InstanceSummary } from "../history/history-types.ts";
import type { CompiledDag } from "../rules/compiled-dag.ts";
import { DagRunError } from "./dag-run-error.ts";
import type { InstanceChange, RunInstances } from "./run-instances.ts";
import type { TaskSelection } from "./runner-types.ts";

/** What a clear does to the instances of a run. */
export interface Clearing {
  /** They have ended, and are to run again. */
  readonly toClear: readonly InstanceSummary[];
  /** They run at this moment: they are ended, and run again. */
  readonly toRestart: readonly InstanceSummary[];
  /** They wait for their next try: it begins now. */
  readonly toHurry: readonly InstanceSummary[];
}

const WAITING: ReadonlySet<string | null> = new Set(["up_for_retry", "up_for_reschedule"]);
const UNDER_WAY: ReadonlySet<string | null> = new Set(["running", "queued", "restarting"]);

/**
 * The instances that a selection names, and what comes after them.
 *
 * @throws DagRunError `bad-request` for a task, or an instance, that is not there
 */
export function findCleared(
  { dag, tasks, down }: CompiledDag,
  instances: Iterable<InstanceSummary>,
  selection: readonly TaskSelection[],
): Clearing {
  const all = [...instances];
  const named = new Set<InstanceSummary>();
  const after = new Set<string>();
  for (const { taskId, mapIndex, downstream = true } of selection) {
    if (!tasks.has(taskId)) {
      const message = `clear: Dag ${JSON.stringify(dag.dagId)} has no task ${JSON.stringify(taskId)}`;
      throw new DagRunError("bad-request", message);
    }
    const found = all.filter(
      (one) => one.taskId === taskId && (mapIndex === undefined || one.mapIndex === mapIndex),
    );
    if (found.length === 0) {
      const which = mapIndex === undefined ? "" : ` with map index ${mapIndex}`;
      throw new DagRunError("bad-request", `clear: ${taskId} has no instance${which} in this run`);
    }
    for (const one of found) named.add(one);
    if (downstream) for (const id of reachable(taskId, down)) after.add(id);
  }
  const chosen = all.filter((one) => named.has(one) || after.has(one.taskId));
  return {
    toClear: chosen.filter(({ state }) => isOver(state)),
    toRestart: chosen.filter(({ state }) => UNDER_WAY.has(state)),
    toHurry: chosen.filter(({ state }) => WAITING.has(state)),
  };
}

/** What is written of instances that are cleared: their tries count on, and all their retries are there again. */
export function clearedChanges(
  compiled: CompiledDag,
  instances: RunInstances,
  { toClear }: Clearing,
): InstanceChange[] {
  return toClear.map(({ taskId, mapIndex }) => {
    const one = instances.get(taskId, mapIndex);
    const { tryNumber, maxTries } = one;
    const retries = compiled.tasks.get(taskId)?.task.retries ?? 0;
    const more = maxTriesAfterClearing({ tryNumber: Math.max(1, tryNumber), maxTries, retries });
    const none = { state: null, note: null, startDate: null, endDate: null };
    return { one, changes: { ...none, maxTries: tryNumber === 0 ? maxTries : more } };
  });
}

function isOver(state: InstanceSummary["state"]): boolean {
  return state !== null && state !== "scheduled" && !WAITING.has(state) && !UNDER_WAY.has(state);
}
