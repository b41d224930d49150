import type { StoredDagRun } from "../../store/dag-run-store.ts";
import {
  type Answer,
  answer,
  apiError,
  apiNotFound,
  type Body,
  notFound,
  notOwn,
  OK,
} from "../answers.ts";
import type { Attempt, HandlerTable } from "../attempt.ts";
import { dagRunBody, timestampOf } from "../dag-run-body.ts";
import { filterOf, isoOf, mapOf, momentsOf, optionalText, textOf } from "../read-body.ts";

const RUN_STATES = ["queued", "running", "success", "failed"];

/** The server's own limit. */
const MAX_NOTE_CHARACTERS = 1_000;

/** Questions about Dags and runs, answered from the runs in the store. */
export const RUN_HANDLERS: HandlerTable = {
  /** A store has no Dags; one that has a run is taken for one. */
  async GetDag(body, { store, taskInstance, dagFile }) {
    const dagId = textOf(body["dag_id"]);
    const isOwn = dagId === taskInstance.dagId;
    if (!isOwn && (await store.dagRuns.list({ dagId })).length === 0) {
      return apiNotFound(`The Dag with dag_id: \`${dagId}\` was not found`);
    }
    return answer("DagResult", {
      dag_id: dagId,
      is_paused: false,
      bundle_name: isOwn ? dagFile.bundleName : null,
      bundle_version: isOwn ? dagFile.bundleVersion : null,
      relative_fileloc: isOwn ? dagFile.path : null,
      owners: null,
      tags: [],
      next_dagrun: null,
    });
  },

  async GetDagRun(body, attempt) {
    const run = await findRun(body, attempt);
    return run === undefined ? noSuchRun(body) : answer("DagRunResult", run);
  },

  async GetDagRunState(body, attempt) {
    const run = await findRun(body, attempt);
    return run === undefined
      ? noSuchRun(body)
      : answer("DagRunStateResult", { state: run["state"] });
  },

  async GetDRCount(body, { store }) {
    const runIds = filterOf(body["run_ids"]);
    const states = filterOf(body["states"]);
    const logicalDates = momentsOf(body["logical_dates"]);
    const found = await store.dagRuns.list({
      dagId: textOf(body["dag_id"]),
      ...(runIds && { runIds }),
      ...(states && { states }),
      ...(logicalDates && { logicalDates }),
    });
    return answer("DRCount", { count: found.length });
  },

  async GetPreviousDagRun(body, { store }) {
    const state = optionalText(body["state"]) ?? undefined;
    if (state !== undefined && state !== "" && !RUN_STATES.includes(state)) {
      return apiError(422, `GetPreviousDagRun: state ${state} is none of ${RUN_STATES.join(", ")}`);
    }
    const before = isoOf(body["logical_date"]) ?? "";
    const run = await store.dagRuns.previous(textOf(body["dag_id"]), before, state || undefined);
    return answer("PreviousDagRunResult", { dag_run: run === undefined ? null : dagRunBody(run) });
  },

  /** `ti_id` says nothing, and what is not set is left out: as on stock. */
  async GetPrevSuccessfulDagRun(_body, { store, taskInstance, dagRun }) {
    const before = isoOf(dagRun["logical_date"]);
    const run =
      before === null
        ? undefined
        : await store.dagRuns.previous(taskInstance.dagId, before, "success");
    return answer("PrevSuccessfulDagRunResult", run === undefined ? {} : datesOf(run));
  },

  async TriggerDagRun(body, attempt) {
    const { store } = attempt;
    const run = triggeredRun(body, attempt);
    if (await store.dagRuns.create(run)) return OK;
    if (body["reset_dag_run"] !== true) return notFound("DAGRUN_ALREADY_EXISTS", null);
    await store.dagRuns.clear(run.dagId, run.runId);
    return OK;
  },

  /** Null leaves the note as it is, "" takes it away. */
  async UpdateDagRunNote(body, attempt) {
    const { taskInstance, taskInstanceId, store } = attempt;
    if (body["ti_id"] !== taskInstanceId)
      return notOwn(body["type"], body["ti_id"], taskInstanceId);
    const note = optionalText(body["note"]);
    if (note === null) return OK;
    if ([...note].length > MAX_NOTE_CHARACTERS) {
      return apiError(422, "UpdateDagRunNote: the note has more than 1,000 characters");
    }
    const kept = note === "" ? null : note;
    await store.dagRuns.update(taskInstance.dagId, taskInstance.runId, { note: kept });
    attempt.setNote(kept);
    return OK;
  },
};

/** The run of the task itself is shown as StartupDetails had it, with what has changed since. */
async function findRun(body: Body, attempt: Attempt): Promise<Body | undefined> {
  const { dagId, runId } = attempt.taskInstance;
  const [askedDag, askedRun] = [textOf(body["dag_id"]), textOf(body["run_id"])];
  const stored = await attempt.store.dagRuns.get(askedDag, askedRun);
  const run = stored && dagRunBody(stored);
  if (askedDag !== dagId || askedRun !== runId) return run;
  if (run === undefined) return attempt.dagRun;
  const { state, note, end_date, clear_number } = run;
  return { ...attempt.dagRun, state, note, end_date, clear_number };
}

function noSuchRun(body: Body): Answer {
  const [dagId, runId] = [textOf(body["dag_id"]), textOf(body["run_id"])];
  return apiNotFound(`Dag run with dag_id '${dagId}' and run_id '${runId}' was not found`);
}

function datesOf(run: StoredDagRun): Body {
  const dates = {
    data_interval_start: timestampOf(run.dataIntervalStart),
    data_interval_end: timestampOf(run.dataIntervalEnd),
    start_date: timestampOf(run.startDate),
    end_date: timestampOf(run.endDate),
  };
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date !== null));
}

/** A store knows no timetable: the data interval of a run with a logical date is one moment. */
function triggeredRun(body: Body, attempt: Attempt): StoredDagRun {
  const logicalDate = isoOf(body["logical_date"]);
  const now = attempt.now().toISOString();
  const runAfter = isoOf(body["run_after"]) ?? now;
  const interval = logicalDate === null ? null : runAfter;
  return {
    dagId: textOf(body["dag_id"]),
    runId: textOf(body["run_id"]),
    logicalDate,
    dataIntervalStart: interval,
    dataIntervalEnd: interval,
    runAfter,
    startDate: null,
    endDate: null,
    clearNumber: 0,
    runType: "operator_triggered",
    state: "queued",
    conf: mapOf(body["conf"]) ?? {},
    triggeringUserName: optionalText(attempt.dagRun["triggering_user_name"]),
    partitionKey: optionalText(body["partition_key"]),
    partitionDate: null,
    note: optionalText(body["note"]),
    teamName: null,
  };
}
