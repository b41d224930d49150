import { hasFailure, isDone, type TriggerRuleLogic } from "./trigger-rule.ts";

/** Something above has succeeded; the rest is not waited for. */
export const oneSuccess: TriggerRuleLogic = {
  forced(counts) {
    if (!isDone(counts)) return null;
    if (counts.done === counts.skipped) return "skipped";
    return counts.success <= 0 ? "upstream_failed" : null;
  },
  isMet: ({ success }) => success > 0,
};

/** Something above has failed, or could not run; the rest is not waited for. */
export const oneFailed: TriggerRuleLogic = {
  forced: (counts) => (isDone(counts) && !hasFailure(counts) ? "skipped" : null),
  isMet: hasFailure,
};

/** Something above has succeeded or failed; the rest is not waited for. */
export const oneDone: TriggerRuleLogic = {
  forced: (counts) =>
    isDone(counts) && counts.failed === 0 && counts.success === 0 ? "skipped" : null,
  isMet: ({ success, failed }) => success + failed > 0,
};
