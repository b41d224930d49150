import type { Task } from "../api/types.ts";

/** The columns of the table of tasks; `order` is that in which they can run. */
export type TaskColumn =
  | "order"
  | "taskId"
  | "triggerRule"
  | "retries"
  | "retryExponentialBackoff"
  | "retryDelaySeconds"
  | "maxRetryDelaySeconds"
  | "executionTimeoutSeconds"
  | "pool"
  | "queue"
  | "priorityWeight";

/** How the table is sorted. */
export interface TaskOrder {
  readonly by: TaskColumn;
  readonly descending: boolean;
}

const DESCENDING_FIRST: readonly TaskColumn[] = [
  "retries",
  "retryExponentialBackoff",
  "retryDelaySeconds",
  "maxRetryDelaySeconds",
  "executionTimeoutSeconds",
  "priorityWeight",
];

/** The order after a click on a column: numbers begin with the largest, a second click turns it round. */
export function nextOrder(order: TaskOrder, by: TaskColumn): TaskOrder {
  if (order.by === by) return { by, descending: !order.descending };
  return { by, descending: DESCENDING_FIRST.includes(by) };
}

/**
 * Sorts tasks; equal ones stay in the order in which they can run. What has no value (no maximum delay, say)
 * comes last both ways: nobody sorts by a column to see where it is empty.
 */
export function sortTasks(tasks: readonly Task[], { by, descending }: TaskOrder): readonly Task[] {
  if (by === "order") return descending ? [...tasks].reverse() : tasks;
  const sign = descending ? -1 : 1;
  return [...tasks].sort((a, b) => {
    const [left, right] = [a[by], b[by]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "string") return sign * compareText(left, String(right));
    return sign * (left - Number(right));
  });
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
