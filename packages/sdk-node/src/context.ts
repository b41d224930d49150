import { Timestamp, type WireMap } from "@parlance/framing";
import type { TriggeringAssetEvent } from "./client/api/dag-runs.ts";
import { Answer } from "./client/requests/answer.ts";
import { readTriggeringEvent } from "./client/requests/read-dag-run.ts";
import { type ArgumentBinding, readArgumentBindings } from "./inputs/argument-binding.ts";

/** Dates of the run, or of the try, to the nanosecond: a `Date` only has milliseconds. */
export interface ExactDates {
  readonly logicalDate: Timestamp | null;
  readonly dataIntervalStart: Timestamp | null;
  readonly dataIntervalEnd: Timestamp | null;
  readonly runAfter: Timestamp;
  readonly startDate: Timestamp;
  readonly firstStartDate: Timestamp | null;
}

/** W3C trace context: send both on as headers of that name. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate: string | null;
}

/** Where in a loop of the Dag a task runs. */
export interface TaskLoop {
  /** 0 for the first iteration. */
  readonly index: number;
  readonly maxIterations: number;
  /**
   * The task whose result ends an iteration; that of the iteration before is
   * `getXCom({ taskId: terminalTaskId, previousIteration: true })`.
   */
  readonly terminalTaskId: string;
  readonly terminalIsMapped: boolean;
}

/** Which task, run and try a handler was called for. */
export interface TaskContext {
  readonly dagId: string;
  readonly taskId: string;
  readonly runId: string;
  /** 1 for the first try. */
  readonly tryNumber: number;
  /** The task's `retries`. Not for deciding whether there will be another try: see {@link shouldRetry}. */
  readonly maxTries: number;
  /** Whether Airflow starts another try when this one fails. */
  readonly shouldRetry: boolean;
  /** Index of a mapped task instance; -1 when the task is not mapped. */
  readonly mapIndex: number;
  /** Id of this task instance, a UUID. */
  readonly taskInstanceId: string;
  /** For example `scheduled`, `manual` or `asset_triggered`. */
  readonly runType: string;
  /** Null for runs without one: asset-triggered and some manual ones. */
  readonly logicalDate: Date | null;
  readonly dataIntervalStart: Date | null;
  readonly dataIntervalEnd: Date | null;
  /** When the run became due; every run has it. */
  readonly runAfter: Date;
  /** When this try started. */
  readonly startDate: Date;
  /** When it started first, before it was deferred, rescheduled or asked a person; else null. */
  readonly firstStartDate: Date | null;
  /** How often this try has been rescheduled. */
  readonly rescheduleCount: number;
  /** The same dates with all their digits. */
  readonly exact: ExactDates;
  /**
   * What the run was triggered with; empty when nothing was. The Dag's Params are in it when the
   * run was started with them (the form in Airflow's UI does so); their defaults are not sent. A task of
   * a `dag(…)` has both as `params`.
   */
  readonly conf: { readonly [key: string]: unknown };
  /** The events of assets that started the run; empty for others. */
  readonly assetEvents: readonly TriggeringAssetEvent[];
  /** Null outside of a loop, and in programs that are packed for schema 2026-06-16. */
  readonly loop: TaskLoop | null;
  /** Who started the run by hand, when Airflow knows. */
  readonly triggeringUser: string | null;
  /** The run's note. */
  readonly note: string | null;
  /** Of the asset partition that the run is for. */
  readonly partitionKey: string | null;
  /** How long the task may take, as its registration says; null without a limit. */
  readonly executionTimeoutMs: number | null;
  /** The trace that this task belongs to; null when Airflow sent none. */
  readonly trace: TraceContext | null;
  readonly queue: string;
  /** The host of the try before; "" on the first. */
  readonly hostname: string;
  /** The same as the handler's `signal`. */
  readonly signal: AbortSignal;
}

/** What the runtime itself takes from the startup details. */
export interface StartupDetails {
  readonly context: TaskContext;
  /** XComs of an earlier try that must go before this one begins. */
  readonly xcomKeysToClear: readonly string[];
  /** Tracing headers of the task instance, sent along with each request. */
  readonly carrier: { readonly [key: string]: string } | null;
  /** Why the task is started again, not decoded: after `defer` or `awaitInput`. */
  readonly next: { readonly method: string; readonly kwargs: unknown } | null;
  /** What the Python Dag passes to the stub's parameters; null when it was not told. */
  readonly bindings: readonly ArgumentBinding[] | null;
  /** Which schema the supervisor speaks: it adds fields that the older one drops. */
  readonly schemaVersion: "2026-06-16" | "2026-10-30";
}

/** What the context has that no frame carries. */
export interface ReadOptions {
  readonly signal: AbortSignal;
  /** The execution timeout that a task was registered with. */
  readonly findTimeout: (dagId: string, taskId: string) => number | null;
}

type Fields = { readonly [key: string]: unknown };

/**
 * Reads the body of a StartupDetails frame of either schema version: unknown keys are ignored,
 * date-times may be timestamps or text, what may be left out has stock's default.
 *
 * @throws TypeError naming the part that is missing or of a wrong type
 */
export function readStartupDetails(
  body: Fields,
  { signal, findTimeout }: ReadOptions,
): StartupDetails {
  const ti = map(body["ti"], "ti");
  const tiContext = map(body["ti_context"], "ti_context");
  const run = map(tiContext["dag_run"], "ti_context.dag_run");
  const exact: ExactDates = {
    logicalDate: optionalDate(run["logical_date"], "logical_date"),
    dataIntervalStart: optionalDate(run["data_interval_start"], "data_interval_start"),
    dataIntervalEnd: optionalDate(run["data_interval_end"], "data_interval_end"),
    runAfter: date(run["run_after"], "run_after"),
    startDate: date(body["start_date"], "start_date"),
    firstStartDate: optionalDate(tiContext["start_date"], "ti_context.start_date"),
  };
  const carrier = readCarrier(ti["context_carrier"]);
  const dagId = text(ti["dag_id"], "ti.dag_id");
  const taskId = text(ti["task_id"], "ti.task_id");
  const context: TaskContext = {
    dagId,
    taskId,
    runId: text(ti["run_id"], "ti.run_id"),
    tryNumber: integer(ti["try_number"], "ti.try_number"),
    maxTries: integer(tiContext["max_tries"] ?? 0, "ti_context.max_tries"),
    shouldRetry: tiContext["should_retry"] === true,
    mapIndex: integer(ti["map_index"] ?? -1, "ti.map_index"),
    taskInstanceId: text(ti["id"], "ti.id"),
    runType: text(run["run_type"] ?? "", "run_type"),
    logicalDate: exact.logicalDate?.toDate() ?? null,
    dataIntervalStart: exact.dataIntervalStart?.toDate() ?? null,
    dataIntervalEnd: exact.dataIntervalEnd?.toDate() ?? null,
    runAfter: exact.runAfter.toDate(),
    startDate: exact.startDate.toDate(),
    firstStartDate: exact.firstStartDate?.toDate() ?? null,
    rescheduleCount: integer(tiContext["task_reschedule_count"] ?? 0, "task_reschedule_count"),
    exact,
    conf: run["conf"] === null || run["conf"] === undefined ? {} : map(run["conf"], "conf"),
    assetEvents: new Answer("StartupDetails", run as WireMap)
      .parts("consumed_asset_events")
      .map(readTriggeringEvent),
    loop: readLoop(tiContext["loop"]),
    triggeringUser: optionalText(run["triggering_user_name"], "triggering_user_name"),
    note: optionalText(run["note"], "note"),
    partitionKey: optionalText(run["partition_key"], "partition_key"),
    executionTimeoutMs: findTimeout(dagId, taskId),
    trace: readTrace(carrier),
    queue: text(ti["queue"] ?? "default", "ti.queue"),
    hostname: text(ti["hostname"] ?? "", "ti.hostname"),
    signal,
  };
  return {
    context: Object.freeze(context),
    xcomKeysToClear: texts(tiContext["xcom_keys_to_clear"]),
    carrier,
    next: readNext(tiContext),
    bindings: readArgumentBindings(tiContext["arg_bindings"]),
    // Keys that are always there, null included, and that the way down to the older one drops.
    schemaVersion: "arg_bindings" in tiContext || "region_id" in ti ? "2026-10-30" : "2026-06-16",
  };
}

function readLoop(value: unknown): TaskLoop | null {
  if (value === null || value === undefined) return null;
  const loop = map(value, "ti_context.loop");
  return Object.freeze({
    index: integer(loop["index"], "ti_context.loop.index"),
    maxIterations: integer(loop["max_iterations"], "ti_context.loop.max_iterations"),
    terminalTaskId: text(loop["terminal_task_id"], "ti_context.loop.terminal_task_id"),
    terminalIsMapped: loop["terminal_is_mapped"] === true,
  });
}

function readNext(tiContext: Fields): StartupDetails["next"] {
  const method = optionalText(tiContext["next_method"], "ti_context.next_method");
  if (method === null || method === "") return null;
  return { method, kwargs: tiContext["next_kwargs"] };
}

function readTrace(carrier: StartupDetails["carrier"]): TraceContext | null {
  const traceparent = carrier?.["traceparent"];
  if (traceparent === undefined) return null;
  return Object.freeze({ traceparent, tracestate: carrier?.["tracestate"] ?? null });
}

function readCarrier(value: unknown): { readonly [key: string]: string } | null {
  if (typeof value !== "object" || value === null) return null;
  const pairs = Object.entries(value).filter((pair): pair is [string, string] => {
    return typeof pair[1] === "string";
  });
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

function optionalDate(value: unknown, path: string): Timestamp | null {
  return value === null || value === undefined ? null : date(value, path);
}

function date(value: unknown, path: string): Timestamp {
  if (value instanceof Timestamp) return value;
  if (typeof value === "string") {
    // Stock always writes a zone; text without one can only mean UTC.
    return Timestamp.parse(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`);
  }
  throw wrong(path, value, "a date-time");
}

function map(value: unknown, path: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Map) {
    throw wrong(path, value, "a map");
  }
  return value as Fields;
}

function text(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrong(path, value, "text");
  return value;
}

function optionalText(value: unknown, path: string): string | null {
  return value === null || value === undefined ? null : text(value, path);
}

function texts(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw wrong("ti_context.xcom_keys_to_clear", value, "a list");
  return value.map((item) => text(item, "ti_context.xcom_keys_to_clear"));
}

function integer(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw wrong(path, value, "an integer");
  return value;
}

function wrong(path: string, value: unknown, expected: string): TypeError {
  const got = value === null ? "null" : value === undefined ? "nothing" : typeof value;
  return new TypeError(`startup details: ${path} is ${got}, expected ${expected}`);
}
