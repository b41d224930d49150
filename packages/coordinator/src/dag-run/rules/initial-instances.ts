import type { RunnableDag, RunnableTask } from "../dag/runnable-dag.ts";
import { compileDag } from "./compiled-dag.ts";
import { literalCount } from "./mapping/map-count.ts";
import type { InstanceState } from "./run-view.ts";

/**
 * The instances that a new run begins with: one a task, or those of a list that is written in the Dag.
 * Tasks whose own dates leave the run out have none.
 *
 * @param logicalDate - null for a run without one
 */
export function initialInstances(dag: RunnableDag, logicalDate: Date | null): InstanceState[] {
  const { tasks } = compileDag(dag);
  return [...tasks.values()].flatMap((own): InstanceState[] => {
    const { task } = own;
    const { taskId } = task;
    if (!takesPart(task, logicalDate)) return [];
    const count = literalCount(own);
    if (count === undefined) return [{ taskId, mapIndex: -1, state: null }];
    if (count === 0) {
      const isAlone = task.upstream.length === 0 && !task.dependsOnPast;
      return [{ taskId, mapIndex: -1, state: isAlone ? "skipped" : null }];
    }
    return Array.from({ length: count }, (_, mapIndex) => ({ taskId, mapIndex, state: null }));
  });
}

function takesPart(
  { startEpochSeconds, endEpochSeconds }: RunnableTask,
  date: Date | null,
): boolean {
  if (date === null) return true;
  const seconds = date.getTime() / 1000;
  return (
    (startEpochSeconds === null || startEpochSeconds <= seconds) &&
    (endEpochSeconds === null || seconds <= endEpochSeconds)
  );
}
