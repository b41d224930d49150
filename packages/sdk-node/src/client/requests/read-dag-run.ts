import type { DagRun, DagRunState, TriggeringAssetEvent } from "../api/dag-runs.ts";
import type { Answer } from "./answer.ts";
import { withExact } from "./dates.ts";

/** A run in the words of the public API. @throws SupervisorError `bad-answer` */
export function readDagRun(run: Answer): DagRun {
  const runAfter = run.date("run_after");
  return {
    dagId: run.text("dag_id"),
    runId: run.text("run_id"),
    runType: run.text("run_type"),
    state: run.text("state") as DagRunState,
    ...withExact({
      logicalDate: run.dateOrNull("logical_date"),
      dataIntervalStart: run.dateOrNull("data_interval_start"),
      dataIntervalEnd: run.dateOrNull("data_interval_end"),
      runAfter,
      startDate: run.dateOrNull("start_date"),
      endDate: run.dateOrNull("end_date"),
      partitionDate: run.dateOrNull("partition_date"),
    }),
    runAfter: runAfter.toDate(),
    conf: run.json("conf"),
    clearNumber: run.numberOrNull("clear_number") ?? 0,
    triggeringUser: run.textOrNull("triggering_user_name"),
    assetEvents: run.parts("consumed_asset_events").map(readTriggeringEvent),
    partitionKey: run.textOrNull("partition_key"),
    note: run.textOrNull("note"),
    team: run.textOrNull("team_name"),
  };
}

/** An event that started a run. @throws SupervisorError `bad-answer` */
export function readTriggeringEvent(event: Answer): TriggeringAssetEvent {
  const asset = event.part("asset");
  return {
    asset: { name: asset.text("name"), uri: asset.text("uri"), extra: asset.json("extra") },
    extra: event.json("extra"),
    source: readSource(event),
    aliases: event.parts("source_aliases").map((alias) => alias.text("name")),
    ...withExact({ timestamp: event.date("timestamp") }),
    timestamp: event.date("timestamp").toDate(),
    partitionKey: event.textOrNull("partition_key"),
  };
}

/** Which task instance emitted an event. */
export function readSource(event: Answer): TriggeringAssetEvent["source"] {
  return {
    dagId: event.textOrNull("source_dag_id"),
    taskId: event.textOrNull("source_task_id"),
    runId: event.textOrNull("source_run_id"),
    mapIndex: event.numberOrNull("source_map_index"),
  };
}
