import { Timestamp } from "@parlance/framing";
import type { StoredDagRun } from "../store/dag-run-store.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { Body } from "./answers.ts";
import { isoOf, mapOf, numberOf, optionalText, textOf } from "./read-body.ts";
import type { DagRunSpec, TaskInstanceSpec } from "./task-instance.ts";

/** A stored run as the wire's DagRun, keys in stock's order. */
export function dagRunBody(run: StoredDagRun): Body {
  return {
    dag_id: run.dagId,
    run_id: run.runId,
    logical_date: timestampOf(run.logicalDate),
    data_interval_start: timestampOf(run.dataIntervalStart),
    data_interval_end: timestampOf(run.dataIntervalEnd),
    run_after: timestampOf(run.runAfter),
    start_date: timestampOf(run.startDate),
    end_date: timestampOf(run.endDate),
    clear_number: run.clearNumber,
    run_type: run.runType,
    state: run.state,
    conf: run.conf,
    triggering_user_name: run.triggeringUserName,
    consumed_asset_events: [],
    partition_key: run.partitionKey,
    partition_date: timestampOf(run.partitionDate),
    note: run.note,
    team_name: run.teamName,
  };
}

/** The wire's DagRun as a store keeps it. */
export function storedDagRun(body: Body): StoredDagRun {
  return {
    dagId: textOf(body["dag_id"]),
    runId: textOf(body["run_id"]),
    logicalDate: isoOf(body["logical_date"]),
    dataIntervalStart: isoOf(body["data_interval_start"]),
    dataIntervalEnd: isoOf(body["data_interval_end"]),
    runAfter: isoOf(body["run_after"]) ?? new Date(0).toISOString(),
    startDate: isoOf(body["start_date"]),
    endDate: isoOf(body["end_date"]),
    clearNumber: numberOf(body["clear_number"]) ?? 0,
    runType: textOf(body["run_type"]),
    state: textOf(body["state"]),
    conf: mapOf(body["conf"]) ?? null,
    triggeringUserName: optionalText(body["triggering_user_name"]),
    partitionKey: optionalText(body["partition_key"]),
    partitionDate: isoOf(body["partition_date"]),
    note: optionalText(body["note"]),
    teamName: optionalText(body["team_name"]),
  };
}

/**
 * What a task is told of its run: what the caller says, and for the rest what the store has of it, a
 * run that was triggered, say, or that of an earlier attempt.
 */
export async function knownDagRun(
  store: TaskStore,
  { dagId, runId }: Pick<TaskInstanceSpec, "dagId" | "runId">,
  asked: DagRunSpec | undefined,
): Promise<DagRunSpec | undefined> {
  const run = await store.dagRuns.get(dagId, runId);
  if (run === undefined) return asked;
  const { clearNumber, conf, triggeringUserName, partitionKey, note, teamName } = run;
  return {
    logicalDate: timestampOf(run.logicalDate),
    dataIntervalStart: timestampOf(run.dataIntervalStart),
    dataIntervalEnd: timestampOf(run.dataIntervalEnd),
    runAfter: Timestamp.parse(run.runAfter),
    // One that is over, or has not begun, runs now.
    ...(run.state === "running" && { startDate: timestampOf(run.startDate) }),
    runType: run.runType as NonNullable<DagRunSpec["runType"]>,
    partitionDate: timestampOf(run.partitionDate),
    ...{ clearNumber, conf, triggeringUserName, partitionKey, note, teamName },
    ...asked,
  };
}

/** Lets the store know the run that a StartupDetails shows; one that did not run does so now. */
export async function recordDagRun(store: TaskStore, startupDetails: Body): Promise<void> {
  const run = storedDagRun(mapOf(mapOf(startupDetails["ti_context"])?.["dag_run"]) ?? {});
  if (await store.dagRuns.create(run)) return;
  const { dagId, runId, state, startDate, endDate } = run;
  const known = await store.dagRuns.get(dagId, runId);
  if (known?.state === state) return;
  await store.dagRuns.update(dagId, runId, { state, startDate, endDate });
}

/** A stored date-time as the wire carries it. */
export function timestampOf(iso: string | null): Timestamp | null {
  return iso === null ? null : Timestamp.parse(iso);
}
