import type { GridCell, TaskState } from "./history-types.ts";

/** Which of several instances matters most, the first one most: as Airflow colours a mapped task. */
const BY_WEIGHT: readonly TaskState[] = [
  ...(["failed", "upstream_failed", "up_for_retry", "up_for_reschedule"] as const),
  ...(["queued", "scheduled", "deferred", "awaiting_input", "running", "restarting"] as const),
  ...[null, ...(["success", "skipped", "removed"] as const)],
];

const WEIGHTS: ReadonlyMap<TaskState, number> = new Map(BY_WEIGHT.map((state, at) => [state, at]));

/** What a grid needs of an instance. */
export interface GridInstance {
  readonly taskId: string;
  readonly mapIndex: number;
  readonly state: TaskState;
  readonly tryNumber: number;
}

/** One cell a task. */
export function gridCells(instances: Iterable<GridInstance>): {
  readonly [taskId: string]: GridCell;
} {
  const cells = new Map<
    string,
    { state: TaskState; tryNumber: number; instances: number | null }
  >();
  for (const { taskId, mapIndex, state, tryNumber } of instances) {
    const cell = cells.get(taskId);
    if (cell === undefined) {
      cells.set(taskId, { state, tryNumber, instances: mapIndex < 0 ? null : 1 });
      continue;
    }
    cell.instances = (cell.instances ?? 0) + 1;
    if (weightOf(state) >= weightOf(cell.state)) continue;
    cell.state = state;
    cell.tryNumber = tryNumber;
  }
  return Object.fromEntries(cells);
}

function weightOf(state: TaskState): number {
  return WEIGHTS.get(state) ?? BY_WEIGHT.length;
}
