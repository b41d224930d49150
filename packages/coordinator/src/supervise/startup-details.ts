import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Timestamp } from "@parlance/framing";
import type { SchemaVersion, TaskArgBinding } from "@parlance/protocol";
import type { Body } from "./answers.ts";
import {
  type ConsumedAssetEvent,
  type DagRunSpec,
  type DateInput,
  shouldRetry,
  type TaskInstanceSpec,
} from "./task-instance.ts";

/** What StartupDetails is made of. */
export interface StartupDetailsInput {
  readonly schemaVersion: SchemaVersion;
  readonly taskInstance: TaskInstanceSpec;
  readonly dagRun?: DagRunSpec | undefined;
  readonly argBindings?: readonly TaskArgBinding[] | null | undefined;
  /** When the try started. */
  readonly startDate: Date;
}

/**
 * The first message to a child, in the shape of its schema version: keys and their order are those
 * of 3.3.2 for 2026-06-16 and of 3.4.0b2 for 2026-10-30. Date-times are {@link Timestamp}s, which the
 * wire carries as extension -1.
 */
export function buildStartupDetails(input: StartupDetailsInput): Body {
  const { schemaVersion, taskInstance: spec, argBindings, startDate } = input;
  const newer = schemaVersion === "2026-10-30";
  const { nextMethod = null, nextKwargs = null, rescheduleCount = 0 } = spec;
  const began = nextMethod === null ? null : toTimestamp(spec.startDate);
  return {
    ti: {
      id: spec.id ?? randomUUID(),
      task_id: spec.taskId,
      dag_id: spec.dagId,
      run_id: spec.runId,
      try_number: spec.tryNumber,
      dag_version_id: spec.dagVersionId ?? randomUUID(),
      map_index: spec.mapIndex ?? -1,
      ...(newer && { region_id: null, region_index: null }),
      hostname:
        spec.hostname === undefined ? (spec.tryNumber > 1 ? hostname() : "") : spec.hostname,
      context_carrier: spec.contextCarrier ?? null,
      queue: spec.queue ?? "default",
    },
    dag_rel_path: spec.dagRelPath ?? `${spec.dagId}.py`,
    bundle_info: {
      name: spec.dagBundleName ?? "parlance",
      version: spec.dagBundleVersion ?? null,
      ...(newer && { version_data: null }),
    },
    start_date: began ?? Timestamp.fromDate(startDate),
    ti_context: {
      dag_run: buildDagRun(spec, input.dagRun ?? {}, startDate),
      ...(newer && { loop: null }),
      task_reschedule_count: rescheduleCount,
      ...(newer && {
        first_task_reschedule_start_date:
          rescheduleCount > 0 ? toTimestamp(spec.firstRescheduleStartDate) : null,
      }),
      max_tries: spec.maxTries ?? 0,
      variables: [],
      connections: [],
      next_method: nextMethod,
      next_kwargs: nextMethod === null ? null : nextKwargs,
      // Without it the XComs of an earlier try are deleted before the child starts.
      xcom_keys_to_clear: [...(spec.xcomKeysToClear ?? [])],
      should_retry: shouldRetry(spec),
      // As on stock, only a task that is resumed hears when it began.
      start_date: began,
      ...(newer && { arg_bindings: argBindings?.map(writeBinding) ?? null, multi_team: false }),
    },
    sentry_integration: "",
    type: "StartupDetails",
  };
}

function buildDagRun(spec: TaskInstanceSpec, run: DagRunSpec, startDate: Date): Body {
  const present = Timestamp.fromDate(startDate);
  const runAfter = toTimestamp(run.runAfter) ?? dateOfRunId(spec.runId) ?? present;
  const either = (given: DateInput | undefined, fallback: Timestamp): Timestamp | null =>
    given === undefined ? fallback : toTimestamp(given);
  return {
    dag_id: spec.dagId,
    run_id: spec.runId,
    logical_date: either(run.logicalDate, runAfter),
    data_interval_start: either(run.dataIntervalStart, runAfter),
    data_interval_end: either(run.dataIntervalEnd, runAfter),
    run_after: runAfter,
    start_date: either(run.startDate, present),
    end_date: toTimestamp(run.endDate),
    clear_number: run.clearNumber ?? 0,
    run_type: run.runType ?? "manual",
    state: run.state ?? "running",
    conf: run.conf === undefined ? {} : run.conf,
    triggering_user_name: run.triggeringUserName ?? null,
    consumed_asset_events: (run.consumedAssetEvents ?? []).map(writeAssetEvent),
    partition_key: run.partitionKey ?? null,
    partition_date: toTimestamp(run.partitionDate),
    note: run.note ?? null,
    team_name: run.teamName ?? null,
  };
}

/** Airflow's own run ids carry a date: `manual__2026-01-02T03:04:05+00:00`. */
function dateOfRunId(runId: string): Timestamp | undefined {
  const date = runId.split("__")[1];
  if (date === undefined) return undefined;
  try {
    return Timestamp.parse(date);
  } catch {
    return undefined; // A run id may be any text.
  }
}

function toTimestamp(date: DateInput | undefined): Timestamp | null {
  if (date === undefined || date === null) return null;
  return date instanceof Timestamp ? date : Timestamp.fromDate(date);
}

function writeAssetEvent(event: ConsumedAssetEvent): Body {
  const { name, uri, timestamp, source = null } = event;
  return {
    asset: { name, uri, extra: event.assetExtra ?? {} },
    extra: event.extra ?? {},
    source_task_id: source?.taskId ?? null,
    source_dag_id: source?.dagId ?? null,
    source_run_id: source?.runId ?? null,
    source_map_index: source?.mapIndex ?? null,
    source_aliases: (event.aliases ?? []).map((alias) => ({ name: alias })),
    timestamp: typeof timestamp === "string" ? Timestamp.parse(timestamp) : toTimestamp(timestamp),
    partition_key: event.partitionKey ?? null,
  };
}

/** Every key is there, in this order, as on a real wire. */
function writeBinding(binding: TaskArgBinding): Body {
  const { name, value_schema, kind } = binding;
  const head = { name, value_schema: value_schema ?? null, kind };
  return binding.kind === "literal"
    ? { ...head, value: binding.value ?? null, from_default: binding.from_default ?? false }
    : { ...head, task_id: binding.task_id };
}
