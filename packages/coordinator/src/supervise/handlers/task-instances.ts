import type { StoredTaskInstance } from "../../store/task-store.ts";
import { answer, type Body, EMPTY } from "../answers.ts";
import type { Attempt, HandlerTable } from "../attempt.ts";
import { numberOf, textOf, textsOf } from "../read-body.ts";

/** Questions about task instances, answered from what this store has seen of them. */
export const TASK_INSTANCE_HANDLERS: HandlerTable = {
  async GetTICount(body, attempt) {
    const states = textsOf(body["states"]);
    const found = (await list(body, attempt)).filter(
      ({ state }) => states === undefined || states.includes(state),
    );
    return answer("TICount", { count: found.length });
  },

  async GetTaskStates(body, attempt) {
    const runs = new Map<string, [string, string][]>();
    for (const { runId, taskId, mapIndex, state } of await list(body, attempt)) {
      const name = mapIndex < 0 ? taskId : `${taskId}_${mapIndex}`;
      runs.set(runId, [...(runs.get(runId) ?? []), [name, state]]);
    }
    const states = [...runs].map(([runId, tasks]) => [runId, Object.fromEntries(tasks)] as const);
    return answer("TaskStatesResult", { task_states: Object.fromEntries(states) });
  },

  async GetTaskBreadcrumbs(body, { store }) {
    const runIds = [textOf(body["run_id"])];
    const found = await store.taskInstances.list({ dagId: textOf(body["dag_id"]), runIds });
    return answer("TaskBreadcrumbsResult", {
      breadcrumbs: found
        .filter(({ endDate }) => endDate !== null)
        .map((row) => ({
          task_id: row.taskId,
          map_index: row.mapIndex,
          state: row.state,
          operator: null,
          duration: seconds(row),
        })),
    });
  },

  GetPreviousTI: () => answer("PreviousTIResult", { task_instance: null }),

  GetTaskRescheduleStartDate: () => answer("TaskRescheduleStartDate", { start_date: null }),

  // Nothing shows them yet; a runtime may send them all the same, as the Python one does.
  SetRenderedFields: () => EMPTY,
  SetRenderedMapIndex: () => EMPTY,
  SkipDownstreamTasks: async (body, { store, taskInstance, now }) => {
    const tasks = Array.isArray(body["tasks"]) ? body["tasks"] : [];
    for (const task of tasks) {
      const [taskId, mapIndex] = Array.isArray(task) ? task : [task, -1];
      await store.taskInstances.set({
        dagId: taskInstance.dagId,
        runId: taskInstance.runId,
        taskId: textOf(taskId),
        mapIndex: numberOf(mapIndex) ?? -1,
        state: "skipped",
        tryNumber: 0,
        startDate: null,
        endDate: now().toISOString(),
      });
    }
    return EMPTY;
  },

  ValidateInletsAndOutlets: () => answer("InactiveAssetsResult", { inactive_assets: [] }),
};

function list(body: Body, { store }: Attempt): Promise<StoredTaskInstance[]> {
  const runIds = textsOf(body["run_ids"]);
  const taskIds = textsOf(body["task_ids"]);
  const mapIndex = numberOf(body["map_index"]);
  return store.taskInstances.list({
    dagId: textOf(body["dag_id"]),
    ...(runIds && { runIds }),
    ...(taskIds && { taskIds }),
    ...(mapIndex !== null && { mapIndex }),
  });
}

function seconds({ startDate, endDate }: StoredTaskInstance): number | null {
  if (startDate === null || endDate === null) return null;
  return (Date.parse(endDate) - Date.parse(startDate)) / 1000;
}
