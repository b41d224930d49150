import type { StoredDagRun } from "./dag-run-store.ts";
import {
  bad,
  checkFields,
  id,
  instanceRef,
  map,
  moment,
  text,
  values,
  whole,
} from "./seed-fields.ts";
import type { SeedDefaults } from "./seed-store.ts";
import type { StoredTaskInstance } from "./task-instance-store.ts";

const DATES = ["logical_date", "data_interval_start", "data_interval_end", "run_after"];
const RUN_FIELDS = [
  ...["dag_id", "run_id", ...DATES, "start_date", "end_date", "clear_number", "run_type", "state"],
  ...["conf", "triggering_user_name", "partition_key", "partition_date", "note", "team_name"],
];
const RUN_STATES = ["queued", "running", "success", "failed"];

/** A Dag run of a seed. By default it was a manual one and a success. */
export function readDagRun(item: unknown, at: string, defaults: SeedDefaults): StoredDagRun {
  const fields = map(item, at);
  checkFields(fields, RUN_FIELDS, at);
  const date = (name: string): string | null => moment(fields, name, at);
  const word = (name: string): string | null => text(fields[name], `${at}/${name}`);
  const state = word("state") ?? "success";
  if (!RUN_STATES.includes(state)) {
    throw bad(`${at}/state`, `is no state of a run: ${RUN_STATES.join(", ")}`);
  }
  const logicalDate = date("logical_date");
  return {
    dagId: id(fields, "dag_id", at, defaults.dagId),
    runId: id(fields, "run_id", at, defaults.runId),
    logicalDate,
    dataIntervalStart: date("data_interval_start") ?? logicalDate,
    dataIntervalEnd: date("data_interval_end") ?? logicalDate,
    runAfter: date("run_after") ?? logicalDate ?? new Date().toISOString(),
    startDate: date("start_date"),
    endDate: date("end_date"),
    clearNumber: whole(fields, "clear_number", at, { least: 0, fallback: 0 }),
    runType: word("run_type") ?? "manual",
    state,
    conf: values(fields, "conf", at),
    triggeringUserName: word("triggering_user_name"),
    partitionKey: word("partition_key"),
    partitionDate: date("partition_date"),
    note: word("note"),
    teamName: word("team_name"),
  };
}

const INSTANCE_FIELDS = [
  ...["dag_id", "run_id", "task_id", "map_index", "state", "try_number"],
  ...["start_date", "end_date"],
];

/** A task instance of a seed. By default its first try was a success. */
export function readTaskInstance(
  item: unknown,
  at: string,
  defaults: SeedDefaults,
): StoredTaskInstance {
  const fields = map(item, at);
  checkFields(fields, INSTANCE_FIELDS, at);
  return {
    ...instanceRef(fields, at, defaults),
    state: Object.hasOwn(fields, "state") ? text(fields["state"], `${at}/state`) : "success",
    tryNumber: whole(fields, "try_number", at, { least: 0, fallback: 1 }),
    startDate: moment(fields, "start_date", at),
    endDate: moment(fields, "end_date", at),
  };
}
