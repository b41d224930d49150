import { Timestamp } from "@parlance/framing";

/** Dates of the run, or of the try, to the nanosecond: a `Date` only has milliseconds. */
export interface ExactDates {
  readonly logicalDate: Timestamp | null;
  readonly dataIntervalStart: Timestamp | null;
  readonly dataIntervalEnd: Timestamp | null;
  readonly runAfter: Timestamp;
  readonly startDate: Timestamp;
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
  /** The same dates with all their digits. */
  readonly exact: ExactDates;
  /** What the run was triggered with; empty when nothing was. */
  readonly conf: { readonly [key: string]: unknown };
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
}

type Fields = { readonly [key: string]: unknown };

/**
 * Reads the body of a StartupDetails frame of either schema version: unknown keys are ignored,
 * date-times may be timestamps or text, what may be left out has stock's default.
 *
 * @throws TypeError naming the part that is missing or of a wrong type
 */
export function readStartupDetails(body: Fields, signal: AbortSignal): StartupDetails {
  const ti = map(body["ti"], "ti");
  const tiContext = map(body["ti_context"], "ti_context");
  const run = map(tiContext["dag_run"], "ti_context.dag_run");
  const exact: ExactDates = {
    logicalDate: optionalDate(run["logical_date"], "logical_date"),
    dataIntervalStart: optionalDate(run["data_interval_start"], "data_interval_start"),
    dataIntervalEnd: optionalDate(run["data_interval_end"], "data_interval_end"),
    runAfter: date(run["run_after"], "run_after"),
    startDate: date(body["start_date"], "start_date"),
  };
  const context: TaskContext = {
    dagId: text(ti["dag_id"], "ti.dag_id"),
    taskId: text(ti["task_id"], "ti.task_id"),
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
    exact,
    conf: run["conf"] === null || run["conf"] === undefined ? {} : map(run["conf"], "conf"),
    queue: text(ti["queue"] ?? "default", "ti.queue"),
    hostname: text(ti["hostname"] ?? "", "ti.hostname"),
    signal,
  };
  return {
    context: Object.freeze(context),
    xcomKeysToClear: texts(tiContext["xcom_keys_to_clear"]),
    carrier: readCarrier(ti["context_carrier"]),
  };
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
