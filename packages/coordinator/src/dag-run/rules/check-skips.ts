import type { CompiledTask } from "./compiled-dag.ts";
import { isFinished, type RunView, type SkipDecision } from "./run-view.ts";
import { forced, READY, type Verdict } from "./verdict.ts";

/**
 * Airflow's dependency "Not Previously Skipped": a branch or short circuit directly above has left
 * word that this task is skipped; in a mapped group also one further up in the same round.
 */
export function checkSkips(own: CompiledTask, mapIndex: number, view: RunView): Verdict {
  const { taskId, upstream } = own.task;
  // A placeholder looks at those directly above only.
  const peers =
    mapIndex < 0 ? own.skippingPeers.filter((id) => upstream.includes(id)) : own.skippingPeers;
  for (const parent of own.skippingParents) {
    if (![...view.instancesOf(parent).values()].some(isFinished)) continue;
    const isExpanded = view.compiled.tasks.get(parent)?.task.isMapped === true;
    const decision = view.facts.skipDecision?.(parent, isExpanded ? mapIndex : -1);
    if (skips(decision, taskId, true)) return forced("skipped", `${parent} skips it`);
  }
  for (const peer of peers) {
    const state = view.instancesOf(peer).get(mapIndex);
    const isDirect = upstream.includes(peer);
    const counts = isDirect ? isFinished(state ?? null) : state === "success";
    if (!counts) continue;
    if (skips(view.facts.skipDecision?.(peer, mapIndex), taskId, isDirect)) {
      return forced("skipped", `${peer} skips it`);
    }
  }
  return READY;
}

/** `followed` names tasks directly below only, so it says nothing about others. */
function skips(decision: SkipDecision | undefined, taskId: string, isDirect: boolean): boolean {
  if (decision === undefined) return false;
  if (isDirect && decision.followed !== undefined) return !decision.followed.includes(taskId);
  return decision.skipped?.includes(taskId) === true;
}
