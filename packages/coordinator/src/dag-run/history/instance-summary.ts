import type { FoundTaskInstance } from "../../store/task-instance-store.ts";
import type { InstanceSummary, TaskState } from "./history-types.ts";

/** States in which an instance waits for a moment. */
const WAITING: ReadonlySet<string | null> = new Set(["up_for_retry", "up_for_reschedule"]);

/**
 * An instance for people.
 *
 * @param dueAt - when its open wait is over, where there is one
 */
export function instanceSummary(row: FoundTaskInstance, dueAt: string | null): InstanceSummary {
  const { dagId, runId, taskId, mapIndex, state, tryNumber, startDate, endDate } = row;
  return {
    ...{ dagId, runId, taskId, mapIndex },
    state: state as TaskState,
    tryNumber,
    maxTries: Math.max((row.maxTries ?? 0) + 1, tryNumber),
    ...{ startDate, endDate },
    dueAt: WAITING.has(state) ? dueAt : null,
    renderedMapIndex: row.renderedMapIndex,
    note: row.note ?? (state === "up_for_retry" ? row.retryReason : null),
  };
}
