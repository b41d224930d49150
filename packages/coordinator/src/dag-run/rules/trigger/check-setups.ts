import type { CompiledTask } from "../compiled-dag.ts";
import type { RunView } from "../run-view.ts";
import { blocked, forced, READY, type Verdict } from "../verdict.ts";
import { upstreamCounts } from "./upstream-counts.ts";

/**
 * Setups further up have to succeed, whatever the trigger rule says; those directly above are the
 * rule's own matter.
 */
export function checkSetups(own: CompiledTask, mapIndex: number, view: RunView): Verdict {
  if (own.indirectSetups.length === 0) return READY;
  const counts = upstreamCounts(own, mapIndex, own.indirectSetups, view);
  const { total, success, skipped, failed, upstreamFailed, removed } = counts;
  const names = own.indirectSetups.join(", ");
  if (upstreamFailed > 0 || failed > 0) return forced("upstream_failed", `setup ${names} failed`);
  if (skipped > 0) return forced("skipped", `setup ${names} was skipped`);
  if (removed > 0 && success > 0 && mapIndex > -1 && mapIndex >= success) {
    return forced("removed", "its setup was removed");
  }
  const missing = total - success - (mapIndex > -1 ? removed : 0);
  return missing > 0 ? blocked(`waits for setup ${names}`) : READY;
}
