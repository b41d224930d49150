import type { RunnableTask } from "../dag/runnable-dag.ts";
import { retryWait } from "../run/retry-wait.ts";
import type { InstanceSummary, WaitSummary } from "./history-types.ts";

/** States after which nothing more is tried by itself. */
const OVER: ReadonlySet<string | null> = new Set([
  ...["success", "failed", "skipped", "upstream_failed", "removed"],
]);

/** More would be a list that nobody reads. */
const MAX_PLANNED = 100;

/** The waits of an instance from here on, if every try failed and asked for nothing. */
export function plannedWaits(
  instance: InstanceSummary,
  task: RunnableTask,
  run: { readonly logicalDate: string | null; readonly timeScale: number },
): WaitSummary[] {
  if (OVER.has(instance.state) || task.retries === 0) return [];
  const isWaiting = instance.state === "up_for_retry";
  const first = isWaiting ? instance.tryNumber + 1 : Math.max(1, instance.tryNumber);
  const waits: WaitSummary[] = [];
  for (let tryNumber = first; tryNumber < instance.maxTries; tryNumber++) {
    if (waits.length === MAX_PLANNED) break;
    const { dagId, runId, taskId, mapIndex } = instance;
    waits.push(
      retryWait({
        ref: { dagId, runId, taskId, mapIndex },
        ...{ task, tryNumber, attemptId: null, endDate: null, ...run },
        ...{ delaySeconds: null, reason: null, maxTaskRetryDelaySeconds: undefined },
      }),
    );
  }
  return waits;
}
