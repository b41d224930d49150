import type { UpstreamCounts } from "./upstream-counts.ts";

/** A state that an instance gets without being run. */
export type ForcedState = "skipped" | "upstream_failed" | "removed";

/** A trigger rule: pure functions of what has become of the tasks directly above. */
export interface TriggerRuleLogic {
  /** The state it gets, where it can't run any more. */
  forced(counts: UpstreamCounts, mapIndex: number): ForcedState | null;
  /** Whether it may run. */
  isMet(counts: UpstreamCounts): boolean;
}

/** Whether all that is above has ended. */
export function isDone({ done, total }: UpstreamCounts): boolean {
  return done >= total;
}

/** Whether something above has failed, or could not run for a failure above it. */
export function hasFailure({ failed, upstreamFailed }: UpstreamCounts): boolean {
  return failed > 0 || upstreamFailed > 0;
}
