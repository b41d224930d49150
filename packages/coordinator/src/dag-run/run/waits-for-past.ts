import type { TaskStore } from "../../store/task-store.ts";
import type { RunnableTask } from "../dag/runnable-dag.ts";

const WELL: ReadonlySet<string | null> = new Set(["success", "skipped"]);

/**
 * Why a task with `depends_on_past` has to wait for the run before this one; undefined where it has
 * not. Looked at once, when the run begins or is taken up.
 */
export async function waitsForPast(
  store: TaskStore,
  dagId: string,
  logicalDate: string | null,
  task: RunnableTask,
): Promise<string | undefined> {
  if (!task.dependsOnPast || logicalDate === null) return undefined;
  const before = await store.dagRuns.previous(dagId, logicalDate);
  if (before === undefined) return undefined;
  const { taskId } = task;
  const states = async (taskIds: readonly string[]) => {
    const rows = await store.taskInstances.list({ dagId, runIds: [before.runId], taskIds });
    return rows.map(({ state }) => state);
  };
  const own = await states([taskId]);
  const where = `in run ${before.runId}`;
  if (own.length === 0) {
    if (!task.ignoreFirstDependsOnPast) return `depends_on_past: ${taskId} has not run ${where}`;
    const all = await store.taskInstances.list({ dagId, taskIds: [taskId] });
    return all.length === 0 ? undefined : `depends_on_past: ${taskId} has not run ${where}`;
  }
  if (!own.every((state) => WELL.has(state))) {
    return `depends_on_past: ${taskId} was no success ${where}`;
  }
  if (!task.waitForDownstream || task.downstream.length === 0) return undefined;
  const after = await states(task.downstream);
  if (after.every((state) => WELL.has(state))) return undefined;
  return `wait_for_downstream: what is behind ${taskId} was no success ${where}`;
}
