import { Timestamp } from "@parlance/framing";
import type { MemoryInstance, MemoryRun } from "../memory-state.ts";
import {
  type Answer,
  type Answerers,
  type Asking,
  answer,
  apiError,
  type Body,
  notFound,
  OK,
  optionalNumber,
  optionalText,
  text,
  textFilter,
} from "./answer.ts";
import { moment } from "./assets.ts";

/** Dags, their runs and their task instances. */
export const RUN_ANSWERERS: Answerers = {
  GetDag(body, { state, instance }) {
    const dagId = text(body["dag_id"]);
    const isKnown = dagId === instance.dagId || state.runs.some((run) => run.dagId === dagId);
    if (!isKnown) return apiError(404, `The Dag with dag_id: \`${dagId}\` was not found`);
    const empty = { bundle_name: null, bundle_version: null, relative_fileloc: null, owners: null };
    const facts = { dag_id: dagId, is_paused: false, tags: [], next_dagrun: null };
    return answer("DagResult", { ...facts, ...empty });
  },

  GetDagRun: oneRun((run) => answer("DagRunResult", runBody(run))),

  GetDagRunState: oneRun(({ state }) => answer("DagRunStateResult", { state })),

  GetDRCount: (body, asking) => answer("DRCount", { count: runs(body, asking).length }),

  GetPreviousDagRun(body, { state }) {
    const before = moment(body["logical_date"]);
    const wanted = optionalText(body["state"]);
    const run =
      before === null ? undefined : state.previousRun(text(body["dag_id"]), before, wanted);
    return answer("PreviousDagRunResult", { dag_run: run === undefined ? null : runBody(run) });
  },

  GetPrevSuccessfulDagRun(_body, { state, instance }) {
    const before = state.run(instance.dagId, instance.runId)?.logicalDate ?? null;
    const run = before === null ? undefined : state.previousRun(instance.dagId, before, "success");
    const dates = run === undefined ? [] : Object.entries(runBody(run));
    const names = ["data_interval_start", "data_interval_end", "start_date", "end_date"];
    const known = dates.filter(([name, date]) => names.includes(name) && date !== null);
    return answer("PrevSuccessfulDagRunResult", Object.fromEntries(known));
  },

  TriggerDagRun(body, { state }) {
    const [dagId, runId] = [text(body["dag_id"]), text(body["run_id"])];
    const before = state.run(dagId, runId);
    if (before !== undefined && body["reset_dag_run"] !== true) {
      return notFound("DAGRUN_ALREADY_EXISTS", null);
    }
    const logicalDate = moment(body["logical_date"]);
    const runAfter = moment(body["run_after"]) ?? Timestamp.fromDate(new Date());
    const cleared = { ...before, state: "queued", clearNumber: (before?.clearNumber ?? 0) + 1 };
    if (before !== undefined) state.setRun({ ...before, ...cleared });
    else {
      state.setRun({
        dagId,
        runId,
        state: "queued",
        runType: "operator_triggered",
        logicalDate,
        dataIntervalStart: logicalDate === null ? null : runAfter,
        dataIntervalEnd: logicalDate === null ? null : runAfter,
        runAfter,
        startDate: null,
        endDate: null,
        conf: (body["conf"] ?? {}) as Body,
        note: optionalText(body["note"]),
        partitionKey: optionalText(body["partition_key"]),
        clearNumber: 0,
      });
    }
    return OK;
  },

  UpdateDagRunNote(body, { state, instance }) {
    const run = state.run(instance.dagId, instance.runId);
    const note = optionalText(body["note"]);
    if (run !== undefined && note !== null)
      state.setRun({ ...run, note: note === "" ? null : note });
    return OK;
  },

  GetTICount: (body, asking) => answer("TICount", { count: instances(body, asking).length }),

  GetTaskStates(body, asking) {
    const states: Record<string, Record<string, string | null>> = {};
    for (const { runId, taskId, mapIndex, state } of instances(body, asking)) {
      states[runId] ??= {};
      states[runId][mapIndex < 0 ? taskId : `${taskId}_${mapIndex}`] = state;
    }
    return answer("TaskStatesResult", { task_states: states });
  },

  GetTaskBreadcrumbs(body, { state }) {
    const over = ["success", "failed", "skipped", "upstream_failed", "removed"];
    const found = [...state.instances.values()]
      .filter(({ dagId, runId }) => dagId === body["dag_id"] && runId === body["run_id"])
      .filter((instance) => over.includes(instance.state ?? ""));
    return answer("TaskBreadcrumbsResult", {
      breadcrumbs: found.map((instance) => ({
        task_id: instance.taskId,
        map_index: instance.mapIndex,
        state: instance.state,
        operator: null,
        duration: seconds(instance),
      })),
    });
  },

  GetPreviousTI(body, { state }) {
    const before = moment(body["logical_date"]);
    const dagId = text(body["dag_id"]);
    const wanted = optionalText(body["state"]);
    const mapIndex = optionalNumber(body["map_index"]) ?? -1;
    for (let at = before; ; ) {
      const run = at === null ? undefined : state.previousRun(dagId, at, null);
      if (run === undefined) return answer("PreviousTIResult", { task_instance: null });
      const found = [...state.instances.values()].find((instance) => {
        const isRun = instance.dagId === dagId && instance.runId === run.runId;
        const isTask = instance.taskId === body["task_id"] && instance.mapIndex === mapIndex;
        return isRun && isTask && (wanted === null || instance.state === wanted);
      });
      if (found !== undefined) {
        return answer("PreviousTIResult", { task_instance: instanceBody(found, run) });
      }
      at = run.logicalDate;
    }
  },

  GetTaskRescheduleStartDate: () => answer("TaskRescheduleStartDate", { start_date: null }),
};

function oneRun(answerer: (run: MemoryRun) => Answer): Answerers[string] {
  return (body, { state }) => {
    const [dagId, runId] = [text(body["dag_id"]), text(body["run_id"])];
    const run = state.run(dagId, runId);
    if (run !== undefined) return answerer(run);
    return apiError(404, `Dag run with dag_id '${dagId}' and run_id '${runId}' was not found`);
  };
}

function runs(body: Body, { state }: Asking): MemoryRun[] {
  const runIds = textFilter(body["run_ids"]);
  const states = textFilter(body["states"]);
  const dates = Array.isArray(body["logical_dates"])
    ? body["logical_dates"].map((date) => moment(date)?.toISOString())
    : undefined;
  return state.runs.filter((run) => {
    const isNamed = run.dagId === body["dag_id"] && (runIds?.includes(run.runId) ?? true);
    const isDated = dates?.includes(run.logicalDate?.toISOString()) ?? true;
    return isNamed && isDated && (states?.includes(run.state) ?? true);
  });
}

function instances(body: Body, asking: Asking): MemoryInstance[] {
  const byRun = body["logical_dates"] == null ? undefined : runs({ ...body, states: null }, asking);
  const runIds = byRun?.map(({ runId }) => runId) ?? textFilter(body["run_ids"]);
  const taskIds = textFilter(body["task_ids"]);
  const states = textFilter(body["states"]);
  const group = optionalText(body["task_group_id"]);
  const mapIndex = optionalNumber(body["map_index"]) ?? -1;
  return [...asking.state.instances.values()].filter((instance) => {
    const isRun = instance.dagId === body["dag_id"] && (runIds?.includes(instance.runId) ?? true);
    const isTask = taskIds?.includes(instance.taskId) ?? true;
    const isInGroup = group === null || instance.taskId.startsWith(`${group}.`);
    const isIndex = mapIndex < 0 || instance.mapIndex === mapIndex;
    return (
      isRun &&
      isTask &&
      isInGroup &&
      isIndex &&
      (states?.includes(instance.state ?? "null") ?? true)
    );
  });
}

/** A run in wire form. */
export function runBody(run: MemoryRun): Body {
  return {
    dag_id: run.dagId,
    run_id: run.runId,
    logical_date: run.logicalDate,
    data_interval_start: run.dataIntervalStart,
    data_interval_end: run.dataIntervalEnd,
    run_after: run.runAfter,
    start_date: run.startDate,
    end_date: run.endDate,
    clear_number: run.clearNumber,
    run_type: run.runType,
    state: run.state,
    conf: run.conf,
    triggering_user_name: null,
    consumed_asset_events: [],
    partition_key: run.partitionKey,
    partition_date: null,
    note: run.note,
    team_name: null,
  };
}

function instanceBody(instance: MemoryInstance, run: MemoryRun): Body {
  return {
    task_id: instance.taskId,
    dag_id: instance.dagId,
    run_id: instance.runId,
    logical_date: run.logicalDate,
    start_date: instance.startDate,
    end_date: instance.endDate,
    state: instance.state,
    try_number: instance.tryNumber,
    map_index: instance.mapIndex,
    duration: seconds(instance),
  };
}

function seconds({ startDate, endDate }: MemoryInstance): number | null {
  if (startDate === null || endDate === null) return null;
  return (endDate.toDate().getTime() - startDate.toDate().getTime()) / 1000;
}
