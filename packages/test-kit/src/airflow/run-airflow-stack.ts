import { type AirflowVersion, runHarness } from "./run-harness.ts";
import type { HarnessLogRecord, HarnessStore } from "./supervise-types.ts";

/** Which Dags to run on which Airflow. */
export interface StackOptions {
  readonly version: AirflowVersion;
  /** Python files, or none; the folder is copied. */
  readonly dagsDir: string;
  /** Which Dags to run, one after the other. */
  readonly dagIds: readonly string[];
  /** AFBNDL01 files for the ExecutableCoordinator. */
  readonly bundlesRoot?: string;
  /** 3.4: `*.min.mjs` files for the NodeCoordinator. */
  readonly nodeRoot?: string;
  /** Which queue goes to which of the two. */
  readonly queues: Readonly<Record<string, "executable" | "node">>;
  /** Variables and connections to begin with. */
  readonly store?: Pick<HarnessStore, "variables" | "connections">;
  readonly conf?: Readonly<Record<string, unknown>>;
  /** Of `dagIds`, those whose runs Airflow starts by itself: by the clock, or an asset. */
  readonly awaited?: readonly string[];
  /** Run after those by `airflow dags test --use-executor`; each is one more run in the result. */
  readonly dagsTest?: readonly string[];
  /** Dag runs of every Dag; 1. */
  readonly runs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly loggingLevel?: string;
  readonly startupTimeoutSeconds?: number;
  /** Starts a triggerer too, for tasks that defer. */
  readonly triggerer?: boolean;
  /** What a person answers to the question of a task, by task id. */
  readonly answers?: Readonly<
    Record<string, { readonly chosen_options: readonly string[]; readonly params_input?: object }>
  >;
  /** Running tasks are marked failed through the public API this long after the run's start. */
  readonly markFailedAfterSeconds?: number;
  /** For all of it; 240 000. */
  readonly deadlineMs?: number;
}

/** A task's last try, as the database has it. */
export interface StackTask {
  readonly taskId: string;
  readonly mapIndex: number;
  readonly state: string | null;
  readonly tryNumber: number;
  readonly maxTries: number;
  readonly queue: string;
  readonly operator: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** Seconds. */
  readonly duration: number | null;
}

/** What one Dag run left. */
export interface StackRun {
  readonly dagId: string;
  readonly runId: string;
  /** `success`, `failed`, or how far it was at the deadline. */
  readonly state: string;
  readonly wallMs: number;
  readonly tasks: readonly StackTask[];
  /** Every try but the last. */
  readonly earlierTries: readonly Pick<StackTask, "taskId" | "tryNumber" | "state">[];
  /** Every try of the tasks that were tried again, in order, as the public API tells of them. */
  readonly history: readonly Pick<
    StackTask,
    "taskId" | "mapIndex" | "tryNumber" | "state" | "startDate" | "endDate"
  >[];
  readonly xcoms: readonly {
    readonly taskId: string;
    readonly mapIndex: number;
    readonly key: string;
    readonly value: unknown;
  }[];
  /** One entry a try. */
  readonly logs: readonly {
    readonly taskId: string;
    readonly mapIndex: number;
    readonly tryNumber: number;
    readonly records: readonly HarnessLogRecord[];
  }[];
}

/** What a deployment did until it was stopped. */
export interface StackResult {
  readonly runs: readonly StackRun[];
  readonly importErrors: readonly { readonly filename: string; readonly stacktrace: string }[];
  readonly dagWarnings: readonly {
    readonly dagId: string;
    readonly type: string;
    readonly message: string;
  }[];
  /** 3.4: what the page of each Dag shows as its source. */
  readonly dagSources: readonly {
    readonly dagId: string;
    readonly fileloc: string;
    readonly language: string;
    readonly text: string;
  }[];
  /** Telling lines of the scheduler's output. */
  readonly schedulerNotes: readonly string[];
  /** Milliseconds from the start to the end of each phase. */
  readonly timing: Readonly<Record<string, number>>;
}

const DEADLINE_MS = 240_000;
// The harness's own limit comes first, since it can then say what it was waiting for.
const REPORT_MS = 30_000;

/**
 * Boots a complete stock Airflow on loopback (API server, scheduler with LocalExecutor, Dag
 * processor, SQLite), runs the Dags, and stops it again. About 30 s on two cores.
 *
 * @throws Error when the deployment did not come up or a Dag was never parsed; the message has the
 *   services' last output. A Dag run that fails is no error.
 */
export async function runAirflowStack(options: StackOptions): Promise<StackResult> {
  const { version, deadlineMs = DEADLINE_MS, ...rest } = options;
  const plan = { ...rest, timeoutSeconds: Math.max(1, (deadlineMs - REPORT_MS) / 1000) };
  const document = await runHarness({ version, script: "airflow_stack.py", plan, deadlineMs });
  const { error, outputs, ...result } = document as StackResult & {
    error?: string;
    outputs?: Record<string, string>;
  };
  if (error === undefined) return result;
  const ends = Object.entries(outputs ?? {}).map(([name, text]) => `\n${name}: ${text}`);
  throw new Error(`Airflow ${version}: ${error}${ends.join("")}`);
}
