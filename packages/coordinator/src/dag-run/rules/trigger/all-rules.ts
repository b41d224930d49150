import { hasFailure, isDone, type TriggerRuleLogic } from "./trigger-rule.ts";

/** Everything above has succeeded. */
export const allSuccess: TriggerRuleLogic = {
  forced(counts, mapIndex) {
    if (hasFailure(counts)) return "upstream_failed";
    if (counts.skipped > 0) return "skipped";
    // Its counterpart is gone since the list got shorter.
    const isSurplus = counts.removed > 0 && counts.success > 0 && mapIndex >= counts.success;
    return isSurplus && mapIndex > -1 ? "removed" : null;
  },
  isMet: ({ total, success, removed }) => total - success - removed <= 0,
};

/** Everything above has failed, or could not run. */
export const allFailed: TriggerRuleLogic = {
  forced: ({ success, skipped }) => (success > 0 || skipped > 0 ? "skipped" : null),
  isMet: ({ total, failed, upstreamFailed, removed }) =>
    total - failed - upstreamFailed - removed <= 0,
};

/** Everything above has ended, however. */
export const allDone: TriggerRuleLogic = {
  forced: () => null,
  isMet: isDone,
};

/** Everything above was skipped. */
export const allSkipped: TriggerRuleLogic = {
  forced: (counts) => (counts.success > 0 || hasFailure(counts) ? "skipped" : null),
  isMet: ({ total, skipped }) => total - skipped <= 0,
};

/** Everything above has ended, nothing was skipped, and something has succeeded. */
export const allDoneMinOneSuccess: TriggerRuleLogic = {
  forced({ total, success, failed, upstreamFailed, removed, skipped }) {
    if (skipped > 0) return "skipped";
    const ended = success + failed + upstreamFailed + removed;
    return ended >= total && success === 0 ? "upstream_failed" : null;
  },
  isMet({ total, success, failed, upstreamFailed, removed, skipped }) {
    if (skipped > 0 || success === 0) return false;
    return success + failed + upstreamFailed >= total - removed;
  },
};

/** Everything above has ended, and of the setups among it, if any, at least one has succeeded. */
export const allDoneSetupSuccess: TriggerRuleLogic = {
  forced(counts) {
    const { setups } = counts;
    if (!isDone(counts) || setups.total === 0) return null;
    if (setups.skipped >= setups.total) return "skipped";
    return setups.success === 0 ? "upstream_failed" : null;
  },
  isMet: (counts) => isDone(counts) && (counts.setups.total === 0 || counts.setups.success > 0),
};

/** Nothing above is looked at. */
export const always: TriggerRuleLogic = {
  forced: () => null,
  isMet: () => true,
};
