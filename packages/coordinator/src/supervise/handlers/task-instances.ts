import type { LogRecord } from "../../logs/log-record.ts";
import { momentKey, optionalMomentKey } from "../../store/moments.ts";
import type { FoundTaskInstance } from "../../store/task-instance-store.ts";
import {
  type Answer,
  answer,
  apiError,
  apiNotFound,
  type Body,
  EMPTY,
  notOwn,
} from "../answers.ts";
import type { Attempt, HandlerTable } from "../attempt.ts";
import { dagRunBody, timestampOf } from "../dag-run-body.ts";
import {
  filterOf,
  isoOf,
  mapIndexOf,
  mapOf,
  momentsOf,
  optionalText,
  textOf,
} from "../read-body.ts";

/** States of an instance that is over, for breadcrumbs. */
const OVER = ["success", "failed", "skipped", "upstream_failed", "removed"];

/** States in which an instance is no longer skipped. */
const NOT_SKIPPED = ["running", "success", "failed"];

/** Questions about task instances, answered from what the store has seen of them. */
export const TASK_INSTANCE_HANDLERS: HandlerTable = {
  /** The state "null" stands for none. */
  async GetTICount(body, attempt) {
    const unknown = await unknownGroup(body, attempt);
    if (unknown !== undefined) return unknown;
    const states = filterOf(body["states"]);
    const found = (await list(body, attempt)).filter(
      ({ state }) => states === undefined || states.includes(state ?? "null"),
    );
    return answer("TICount", { count: found.length });
  },

  async GetTaskStates(body, attempt) {
    const unknown = await unknownGroup(body, attempt);
    if (unknown !== undefined) return unknown;
    const runs = new Map<string, [string, string | null][]>();
    // A group's tasks come besides those that are named, as on stock: no field narrows the other.
    const group = optionalText(body["task_group_id"]) ?? "";
    const named = await list({ ...body, task_group_id: null }, attempt);
    const ofGroup = group === "" ? [] : await list({ ...body, task_ids: null }, attempt);
    const isNamed = group === "" || filterOf(body["task_ids"]) !== undefined;
    for (const { runId, taskId, mapIndex, state } of [...(isNamed ? named : []), ...ofGroup]) {
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
        .filter(({ state }) => state !== null && OVER.includes(state))
        .map((row) => ({
          task_id: row.taskId,
          map_index: row.mapIndex,
          state: row.state,
          operator: null,
          duration: seconds(row),
        })),
    });
  },

  async GetPreviousTI(body, attempt) {
    const row = await previousInstance(body, attempt);
    return answer("PreviousTIResult", { task_instance: row ?? null });
  },

  /** Null for a try that was never rescheduled. */
  async GetTaskRescheduleStartDate(body, { store, taskInstance, taskInstanceId }) {
    if (body["ti_id"] !== taskInstanceId)
      return notOwn(body["type"], body["ti_id"], taskInstanceId);
    const row = await store.taskInstances.get(taskInstance);
    return answer("TaskRescheduleStartDate", {
      start_date: timestampOf(row?.firstStartDate ?? null),
    });
  },

  async SetRenderedFields(body, { store, taskInstance, masker }) {
    const fields = mapOf(body["rendered_fields"]) ?? {};
    await store.taskInstances.update(taskInstance, {
      renderedFields: maskedFields(masker, fields),
    });
    return EMPTY;
  },

  async SetRenderedMapIndex(body, { store, taskInstance, masker }) {
    const label = textOf(body["rendered_map_index"]);
    if (label === "") {
      const said = "rendered_map_index cannot be empty";
      return apiError(422, said, { detail: said });
    }
    await store.taskInstances.update(taskInstance, { renderedMapIndex: masker.maskText(label) });
    return EMPTY;
  },

  /** A store does not know which instances a Dag has: all that are named are kept as skipped. */
  async SkipDownstreamTasks(body, { store, taskInstance, now }) {
    const tasks = Array.isArray(body["tasks"]) ? body["tasks"] : [];
    const at = now().toISOString();
    const refs = tasks.map((task) => {
      const [taskId, mapIndex] = Array.isArray(task) ? task : [task, -1];
      return { ...taskInstance, taskId: textOf(taskId), mapIndex: mapIndexOf(mapIndex) };
    });
    for (const ref of refs) {
      const skipped = { state: "skipped", startDate: at, endDate: at };
      const before = await store.taskInstances.get(ref);
      if (before === undefined) {
        await store.taskInstances.set({ ...ref, ...skipped, tryNumber: 0 });
      } else if (before.state === null || !NOT_SKIPPED.includes(before.state)) {
        await store.taskInstances.update(ref, skipped);
      }
    }
    return EMPTY;
  },

  /** A store does not know which assets a task has: every inactive one is named. */
  async ValidateInletsAndOutlets(_body, { store }) {
    const inactive = (await store.assets.list()).filter(({ active }) => !active);
    return answer("InactiveAssetsResult", {
      inactive_assets: inactive.map(({ name, uri }) => ({ name, uri, type: "Asset" })),
    });
  },
};

/** A group that no task seen of the Dag is in, which Airflow would not find in the Dag. */
async function unknownGroup(body: Body, { store }: Attempt): Promise<Answer | undefined> {
  const group = optionalText(body["task_group_id"]) ?? "";
  if (group === "") return undefined;
  const dagId = textOf(body["dag_id"]);
  const seen = await store.taskInstances.list({ dagId });
  return seen.some(({ taskId }) => taskId.startsWith(`${group}.`))
    ? undefined
    : apiNotFound(`Task group ${group} not found in DAG ${dagId}`);
}

/** A group's tasks are those whose id begins with its own: what a Dag nests otherwise is not known. */
async function list(body: Body, { store }: Attempt): Promise<FoundTaskInstance[]> {
  const dagId = textOf(body["dag_id"]);
  const taskIds = filterOf(body["task_ids"]);
  const mapIndex = mapIndexOf(body["map_index"]);
  const group = optionalText(body["task_group_id"]) ?? "";
  const runIds = await runsAsked(body, dagId, { store });
  const found = await store.taskInstances.list({
    dagId,
    ...(runIds && { runIds }),
    ...(taskIds && { taskIds }),
    ...(mapIndex >= 0 && { mapIndex }), // stock passes no other on, so -1 filters nothing
  });
  return group === "" ? found : found.filter(({ taskId }) => taskId.startsWith(`${group}.`));
}

/** Runs by their ids, by their logical dates, or both; undefined for any run. */
async function runsAsked(
  body: Body,
  dagId: string,
  { store }: Pick<Attempt, "store">,
): Promise<readonly string[] | undefined> {
  const runIds = filterOf(body["run_ids"]);
  const logicalDates = momentsOf(body["logical_dates"]);
  if (logicalDates === undefined) return runIds;
  const runs = await store.dagRuns.list({ dagId, logicalDates, ...(runIds && { runIds }) });
  return runs.map(({ runId }) => runId);
}

/** The instance of the run with the youngest logical date, before the one asked for if there is one. */
async function previousInstance(
  body: Body,
  { store, schemaVersion }: Attempt,
): Promise<Body | undefined> {
  const dagId = textOf(body["dag_id"]);
  const before = isoOf(body["logical_date"]);
  const state = optionalText(body["state"]);
  const rows = await store.taskInstances.list({
    dagId,
    taskIds: [textOf(body["task_id"])],
    mapIndex: mapIndexOf(body["map_index"]),
  });
  const found = rows.filter((row) => state === null || row.state === state);
  const runs = await store.dagRuns.list({ dagId, runIds: found.map(({ runId }) => runId) });
  const limit = optionalMomentKey(before);
  const run = runs.findLast(({ logicalDate }) => {
    return limit === null || (logicalDate !== null && momentKey(logicalDate) < limit);
  });
  const row = found.find(({ runId }) => runId === run?.runId);
  if (run === undefined || row === undefined) return undefined;
  return {
    task_id: row.taskId,
    dag_id: row.dagId,
    run_id: row.runId,
    logical_date: dagRunBody(run)["logical_date"],
    start_date: timestampOf(row.startDate),
    end_date: timestampOf(row.endDate),
    state: row.state,
    try_number: row.tryNumber,
    map_index: row.mapIndex,
    ...(schemaVersion === "2026-10-30" && { region_id: null, region_index: null }),
    duration: seconds(row),
  };
}

/** They are for people to look at. */
function maskedFields(masker: Attempt["masker"], fields: Body): Body {
  const record = masker.mask({ fields } as unknown as LogRecord);
  return (record as unknown as { readonly fields: Body }).fields;
}

function seconds({ startDate, endDate }: FoundTaskInstance): number | null {
  if (startDate === null || endDate === null) return null;
  return (Date.parse(endDate) - Date.parse(startDate)) / 1000;
}
