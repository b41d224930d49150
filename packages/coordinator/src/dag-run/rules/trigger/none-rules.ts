import { hasFailure, isDone, type TriggerRuleLogic } from "./trigger-rule.ts";
import type { UpstreamCounts } from "./upstream-counts.ts";

/** Everything above has succeeded or was skipped. */
export const noneFailed: TriggerRuleLogic = {
  forced: (counts) => (hasFailure(counts) ? "upstream_failed" : null),
  isMet: hasOnlySuccessAndSkips,
};

/** The same, and something has succeeded. */
export const noneFailedMinOneSuccess: TriggerRuleLogic = {
  forced(counts) {
    if (hasFailure(counts)) return "upstream_failed";
    if (counts.skipped === counts.total) return "skipped";
    return isDone(counts) && counts.success === 0 ? "upstream_failed" : null;
  },
  isMet: (counts) => hasOnlySuccessAndSkips(counts) && counts.success > 0,
};

/** Everything above has ended, and nothing was skipped. */
export const noneSkipped: TriggerRuleLogic = {
  forced: ({ skipped }) => (skipped > 0 ? "skipped" : null),
  isMet: (counts) => isDone(counts) && counts.skipped === 0,
};

function hasOnlySuccessAndSkips({ total, success, skipped, removed }: UpstreamCounts): boolean {
  return total - success - skipped - removed <= 0;
}
