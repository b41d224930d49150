import { Timestamp } from "@parlance/framing";
import { encodeValue } from "../values/encode-value.ts";
import type { Body } from "./answers/answer.ts";
import { runBody } from "./answers/runs.ts";
import type { MemoryRun } from "./memory-state.ts";

/** What a task is resumed with; the facts of an outcome's `deferral` can be given as they are. */
export interface TestResume {
  /** @default "resume" */
  readonly resumeMethod?: string | undefined;
  readonly resumeKwargs?: { readonly [name: string]: unknown } | undefined;
  /** What the trigger fired with. */
  readonly event?: unknown;
  /** What a person answered. */
  readonly answer?:
    | {
        readonly chosenOptions: readonly string[];
        readonly params?: { readonly [name: string]: unknown } | undefined;
        readonly timedOut?: boolean | undefined;
      }
    | undefined;
  /** The wait itself failed: its time was over, or the trigger threw this. */
  readonly failure?: "timeout" | { readonly error: string } | undefined;
}

/** Which task instance is run, and with what; everything may be left out. */
export interface TaskInstanceOptions {
  /** @default "dag" for a handler, the bundle's own for a bundle of one */
  readonly dagId?: string | undefined;
  readonly taskId?: string | undefined;
  /** @default "manual__2026-01-01T00:00:00+00:00" */
  readonly runId?: string | undefined;
  /** @default 1 */
  readonly tryNumber?: number | undefined;
  /** The task's `retries`. @default 0 */
  readonly maxTries?: number | undefined;
  /** Whether another try follows a failure. @default whether `tryNumber` is not above `maxTries` */
  readonly shouldRetry?: boolean | undefined;
  /** @default -1, which is not mapped */
  readonly mapIndex?: number | undefined;
  /** @default 2026-01-01T00:00:00Z */
  readonly logicalDate?: Date | null | undefined;
  readonly dataIntervalStart?: Date | null | undefined;
  readonly dataIntervalEnd?: Date | null | undefined;
  readonly runAfter?: Date | undefined;
  /** @default "manual" */
  readonly runType?: string | undefined;
  /** What the run was triggered with. */
  readonly conf?: { readonly [key: string]: unknown } | undefined;
  readonly queue?: string | undefined;
  /** XComs of an earlier try that the task has to delete before it begins. */
  readonly xcomKeysToClear?: readonly string[] | undefined;
  /** Arguments of the call in Python, as Airflow 3.4 sends them to programs packed for 2026-10-30. */
  readonly callArguments?: { readonly [name: string]: unknown } | undefined;
  /** Arguments of the call in Python that are results of other tasks: their ids. */
  readonly callResults?: { readonly [name: string]: string } | undefined;
  /** Goes on after `defer` or `awaitInput`. */
  readonly resume?: TestResume | undefined;
  /** Which version of Airflow's schema the program was packed for. @default "2026-10-30" */
  readonly schemaVersion?: "2026-06-16" | "2026-10-30" | undefined;
  /** Headers of a trace that the task belongs to: `traceparent` and so on. */
  readonly traceHeaders?: { readonly [name: string]: string } | undefined;
}

/** Every instance of a test has this id. */
export const TEST_INSTANCE_ID = "01a229d4-f37f-7d3f-86ca-4781063d5c26";
const VERSION_ID = "01a229d4-c27e-79cc-bd2d-86723a7f0564";
const DEFAULT_DATE = new Date("2026-01-01T00:00:00Z");

/** The run that the task belongs to. */
export function runOf(dagId: string, runId: string, options: TaskInstanceOptions): MemoryRun {
  const date = (given: Date | null | undefined, otherwise: Date | null): Timestamp | null => {
    const chosen = given === undefined ? otherwise : given;
    return chosen === null ? null : Timestamp.fromDate(chosen);
  };
  const { logicalDate = DEFAULT_DATE } = options;
  const runAfter = options.runAfter ?? logicalDate ?? DEFAULT_DATE;
  return {
    dagId,
    runId,
    state: "running",
    runType: options.runType ?? "manual",
    logicalDate: date(logicalDate, null),
    dataIntervalStart: date(options.dataIntervalStart, logicalDate),
    dataIntervalEnd: date(options.dataIntervalEnd, logicalDate),
    runAfter: Timestamp.fromDate(runAfter),
    startDate: Timestamp.fromDate(runAfter),
    endDate: null,
    conf: options.conf ?? {},
    note: null,
    partitionKey: null,
    clearNumber: 0,
  };
}

/** The first message that a task gets, as the wire has it in schema version 2026-10-30. */
export function startupDetails(run: MemoryRun, taskId: string, options: TaskInstanceOptions): Body {
  const { tryNumber = 1, maxTries = 0, schemaVersion = "2026-10-30" } = options;
  const now = Timestamp.fromDate(new Date());
  const resumed = options.resume === undefined ? NOT_RESUMED : resumption(options.resume);
  return {
    type: "StartupDetails",
    ti: {
      id: TEST_INSTANCE_ID,
      task_id: taskId,
      dag_id: run.dagId,
      run_id: run.runId,
      try_number: tryNumber,
      dag_version_id: VERSION_ID,
      map_index: options.mapIndex ?? -1,
      hostname: "",
      context_carrier: options.traceHeaders ?? null,
      queue: options.queue ?? "default",
    },
    dag_rel_path: `${run.dagId}.py`,
    bundle_info: { name: "test", version: null, version_data: null },
    start_date: now,
    ti_context: {
      dag_run: runBody(run),
      task_reschedule_count: 0,
      max_tries: maxTries,
      variables: [],
      connections: [],
      ...resumed,
      xcom_keys_to_clear: options.xcomKeysToClear ?? [],
      should_retry: options.shouldRetry ?? tryNumber <= maxTries,
      start_date: resumed.next_method === null ? null : now,
      ...(schemaVersion === "2026-10-30" && { arg_bindings: bindings(options), multi_team: false }),
    },
    sentry_integration: "",
  };
}

const NOT_RESUMED = { next_method: null, next_kwargs: null };

function bindings({ callArguments, callResults }: TaskInstanceOptions): readonly Body[] | null {
  const literals = Object.entries(callArguments ?? {}).map(([name, value]) => {
    const sent = encodeValue(value, `callArguments.${name}`);
    return { kind: "literal", name, value: sent, from_default: false, value_schema: null };
  });
  const results = Object.entries(callResults ?? {}).map(([name, task_id]) => {
    return { kind: "xcom", name, task_id, value_schema: null };
  });
  const all = [...literals, ...results];
  return all.length === 0 ? null : all;
}

function resumption(resume: TestResume): {
  readonly next_method: string;
  readonly next_kwargs: unknown;
} {
  const { resumeMethod = "resume", resumeKwargs = {}, event, answer, failure } = resume;
  if (failure !== undefined) {
    const kwargs =
      failure === "timeout"
        ? { error: "Trigger timeout" }
        : { error: "Trigger failure", traceback: [failure.error] };
    return { next_method: "__fail__", next_kwargs: kwargs };
  }
  const answered = answer && {
    options: answer.chosenOptions,
    chosen_options: answer.chosenOptions,
    params_input: answer.params ?? {},
    responded_at: answer.timedOut === true ? null : new Date(),
    responded_by_user: null,
    timedout: answer.timedOut === true,
  };
  const sent = answered ?? event;
  const kwargs = { ...resumeKwargs, ...(sent === undefined ? {} : { event: sent }) };
  return { next_method: resumeMethod, next_kwargs: encodeValue(kwargs, "resume") };
}
