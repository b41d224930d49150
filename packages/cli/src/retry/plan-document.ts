import type { Instant, RetryPlan } from "@parlance/retry";
import type { PlanSettings } from "./plan-settings.ts";

/** The document of `parlance retry plan --json`. Durations are whole microseconds. */
export function planDocument(settings: PlanSettings, plan: RetryPlan): object {
  const { dagId, taskId, logicalDate, tries, retryDelayUs, multiplier } = settings;
  const { maxRetryDelayUs, maxTaskRetryDelaySeconds, firstTryNumber } = settings;
  return {
    dagId,
    taskId,
    logicalDate: textOf(logicalDate),
    tries,
    firstTryNumber,
    retryDelayUs,
    multiplier,
    maxRetryDelayUs,
    maxTaskRetryDelaySeconds,
    waits: plan.waits.map((wait) => ({
      tryNumber: wait.tryNumber,
      mode: wait.mode,
      baseSeconds: wait.baseSeconds,
      jitterSeconds: wait.jitterSeconds,
      cappedBy: wait.cappedBy,
      delayUs: wait.delayUs,
      endDate: textOf(wait.endDate),
      nextRetry: textOf(wait.nextRetry),
    })),
    totalUs: plan.totalUs,
  };
}

/** In UTC with six digits, as the answers of `parlance retry delay` have it. */
function textOf(instant: Instant | null): string | null {
  return instant === null ? null : instant.toUtc().toIso({ fraction: "always" });
}
