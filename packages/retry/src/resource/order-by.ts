import type { SortKey } from "./order.ts";
import type { ReadTask } from "./read-task.ts";

/** A field that a list of tasks can be ordered by. */
export type OrderField =
  | "task_id"
  | "task_display_name"
  | "owner"
  | "start_date"
  | "end_date"
  | "trigger_rule"
  | "depends_on_past"
  | "wait_for_downstream"
  | "retries"
  | "queue"
  | "pool"
  | "pool_slots"
  | "execution_timeout"
  | "retry_delay"
  | "retry_exponential_backoff"
  | "priority_weight"
  | "weight_rule"
  | "ui_color"
  | "ui_fgcolor"
  | "operator_name";

const KEYS: Readonly<Record<OrderField, (task: ReadTask) => SortKey>> = {
  task_id: (task) => task.taskId,
  task_display_name: (task) => task.displayName,
  owner: (task) => task.owner,
  start_date: (task) => task.startDate?.epochUs ?? null,
  end_date: (task) => task.endDate?.epochUs ?? null,
  trigger_rule: (task) => task.triggerRule,
  depends_on_past: (task) => task.dependsOnPast,
  wait_for_downstream: (task) => task.waitForDownstream,
  retries: (task) => task.retries,
  queue: (task) => task.queue,
  pool: (task) => task.pool,
  pool_slots: (task) => task.poolSlots,
  execution_timeout: (task) => task.executionTimeoutUs,
  retry_delay: (task) => task.retryDelayUs,
  retry_exponential_backoff: (task) => task.multiplier,
  priority_weight: (task) => task.priorityWeight,
  // Airflow compares objects here that have no order, and answers 500 once two of them differ.
  weight_rule: (task) => task.weightRule,
  ui_color: (task) => task.uiColor,
  ui_fgcolor: (task) => task.uiFgcolor,
  operator_name: (task) => task.operatorName,
};

/** The fields that `order_by` accepts in Airflow 3.3.2 (recorded), in the order of its answer. */
export const ORDER_FIELDS: readonly OrderField[] = Object.keys(KEYS) as OrderField[];

/** How a list of tasks is ordered. */
export interface Order {
  readonly keyOf: (task: ReadTask) => SortKey;
  readonly direction: "up" | "down";
}

/**
 * Reads `order_by`: a field, with a dash in front for downwards. Not trimmed, no lists, upper and
 * lower case differ; more dashes count as one.
 *
 * @returns the name that is no field, when it is none
 */
export function readOrderBy(orderBy: string): Order | { readonly unknown: string } {
  const name = orderBy.replace(/^-+/, "");
  if (!Object.hasOwn(KEYS, name)) return { unknown: name };
  return { keyOf: KEYS[name as OrderField], direction: orderBy.startsWith("-") ? "down" : "up" };
}
