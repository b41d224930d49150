import type { AirflowVersion } from "./run-harness.ts";

/** What the task finds; the format of `parlance run --seed-store`, and more for tests. */
export interface HarnessStore {
  readonly variables?: Readonly<Record<string, string>>;
  /** Fields as Airflow's connections have them: `conn_type`, `host`, `login`, `password`, … */
  readonly connections?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Without `dag_id`, `run_id`: the task's own. `key` is `return_value`, `map_index` -1. */
  readonly xcoms?: readonly {
    readonly task_id: string;
    readonly value: unknown;
    readonly key?: string;
    readonly map_index?: number;
    readonly dag_id?: string;
    readonly run_id?: string;
  }[];
  readonly assets?: readonly { readonly name: string; readonly uri: string }[];
  readonly asset_events?: readonly Readonly<Record<string, unknown>>[];
  /** Laid over the dag_run of the start-up details. */
  readonly dag_run?: Readonly<Record<string, unknown>>;
  /** Laid over their ti_context. */
  readonly ti_context?: Readonly<Record<string, unknown>>;
  readonly xcom_keys_to_clear?: readonly string[];
}

/** How the supervisor starts the child. */
export type Launch =
  /** The stock ExecutableCoordinator over a folder of AFBNDL01 files. */
  | { readonly bundlesRoot: string; readonly ownBundle?: boolean }
  /** 3.4: the stock NodeCoordinator over a folder of `*.min.mjs` files. */
  | { readonly nodeRoot: string; readonly node?: string; readonly ownBundle?: boolean }
  /** The stock JavaCoordinator over a folder of jars. */
  | { readonly jarsRoot: string }
  /** A fixed command line; schema version `2026-06-16` unless said, null for no migration. */
  | { readonly argv: readonly string[]; readonly schemaVersion?: string | null };

/** One attempt of one task. */
export interface SuperviseTask {
  readonly dagId: string;
  readonly taskId: string;
  readonly runId?: string;
  /** -1 when the task is not mapped. */
  readonly mapIndex?: number;
  /** `stub` unless said; one of `launches` is started by that. */
  readonly queue?: string;
  readonly tryNumber?: number;
  readonly maxTries?: number;
  /** Unless said: what the server works out of tryNumber and maxTries. */
  readonly shouldRetry?: boolean;
  /** What the fake server waits when the task names no delay; 300. */
  readonly retryDelaySeconds?: number;
  /** In place of the plan's store. */
  readonly store?: HarnessStore;
  /** Start with what the task before left, as in one Dag run. */
  readonly keepStore?: boolean;
  /** The fake API answers `status` (0: connection broken) to matching calls, `times` times (-1: always). */
  readonly faults?: readonly {
    readonly method?: string;
    /** A Python regular expression, searched in the path. */
    readonly path: string;
    readonly status: number;
    readonly times?: number;
  }[];
  /** 3.4: `ti_context.arg_bindings`. */
  readonly argBindings?: readonly unknown[];
  /** The W3C trace context that the task belongs to. */
  readonly contextCarrier?: Readonly<Record<string, string>>;
  /** 3.4: the task belongs to this native Dag file below the root. */
  readonly nativeFile?: string;
  /** SIGTERM to the process that runs the supervisor … */
  readonly sigtermAfterSeconds?: number;
  /** … or as soon as the task log contains this text. */
  readonly sigtermOnLog?: string;
  /** From then on heartbeats are answered 409: what "mark failed" in the UI does. */
  readonly killAfterSeconds?: number;
  /** Give up on the supervisor; 60. */
  readonly watchdogSeconds?: number;
  /** In place of the settings, for the child of this task. */
  readonly loggingLevel?: string;
  readonly namespaceLevels?: string;
  /** A new one unless said. */
  readonly taskInstanceId?: string;
  /** `frames` of the result has the bytes of the comm link. */
  readonly keepFrames?: boolean;
}

/** Airflow's configuration; what is left out has the harness's default (as Airflow's, but `apiRetries` 2). */
export interface SuperviseSettings {
  readonly startupTimeoutSeconds?: number;
  readonly loggingLevel?: string;
  readonly namespaceLevels?: string;
  /** Also bounds how late a task's exit may be noticed: 1 makes tests quick. */
  readonly heartbeatIntervalSeconds?: number;
  readonly maxFailedHeartbeats?: number;
  readonly socketCleanupTimeoutSeconds?: number;
  readonly successOvertimeSeconds?: number;
  readonly killedCleanupSeconds?: number;
  readonly apiRetries?: number;
  readonly logsToStdout?: boolean;
}

/** Tasks, what starts them and what they find. */
export interface SuperviseOptions {
  readonly version: AirflowVersion;
  readonly launch: Launch;
  readonly tasks: readonly SuperviseTask[];
  readonly store?: HarnessStore;
  readonly settings?: SuperviseSettings;
  /** Added to the environment of the supervisor, and so of the children. */
  readonly env?: Readonly<Record<string, string>>;
  readonly coordinatorKwargs?: Readonly<Record<string, unknown>>;
  /** By queue: what starts the tasks of that queue in place of `launch`. */
  readonly launches?: Readonly<Record<string, Launch>>;
  /** So many tasks at a time, in forks of one process; 1. */
  readonly workers?: number;
  /**
   * Stores and results hold wide integers and whole floats as exact JSON: `{"$":"int","v":"9007199254740993"}`,
   * `{"$":"float","v":"1.0"}`.
   */
  readonly exact?: boolean;
  /** Every frame and log line goes to this file as JSON lines (not of tasks that get SIGTERM). */
  readonly transcriptFile?: string;
  /** For all tasks together; 120 000. */
  readonly deadlineMs?: number;
}

/** One line of a log file: the JSON object, or `{ unparsed }` when it was none. */
export interface HarnessLogRecord {
  readonly timestamp?: string;
  readonly level?: string;
  readonly logger?: string;
  readonly event?: unknown;
  readonly [field: string]: unknown;
}

/** A call that the supervisor made to the Execution API. */
export interface ApiCall {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
  /** The status of a fault that answered instead. */
  readonly injected?: number;
}

/** An XCom as the fake server holds it. */
export interface XComRow {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  readonly key: string;
  readonly mapIndex: number;
  readonly value: unknown;
}

/** An exception that left Airflow's code. */
export interface AirflowError {
  readonly type: string;
  readonly message: string;
  /** `file:function` of the last five frames. */
  readonly where: readonly string[];
}

/** A frame of the comm link as it passed, length prefix included. */
export interface HarnessFrame {
  readonly atMs: number;
  readonly direction: "child->supervisor" | "supervisor->child";
  readonly hex: string;
}

/** How one attempt went, seen from the supervisor and from the server. */
export interface SuperviseResult {
  readonly dagId: string;
  readonly taskId: string;
  readonly tryNumber: number;
  /** The supervisor's verdict; null when it gave none. */
  readonly finalState: string | null;
  readonly exitCode: number | null;
  readonly wallMs: number;
  readonly supervisorError: AirflowError | null;
  /** What still ran after the supervisor was done (ended by the harness). */
  readonly leftoverChildren: readonly { readonly pid: number; readonly name: string }[];
  /** What the server believes: queued, running, or the state that was reported last. */
  readonly serverState: string;
  readonly nextRetryAt: string | null;
  readonly renderedFields: unknown;
  readonly apiCalls: readonly ApiCall[];
  readonly variables: Readonly<Record<string, string>>;
  readonly xcoms: readonly XComRow[];
  readonly taskStore: Readonly<Record<string, unknown>>;
  /** By the name or URI that the asset was asked for with, then by key. */
  readonly assetStore: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly taskLog: readonly HarnessLogRecord[];
  /** The supervisor's own log of this task. */
  readonly supervisorLog: readonly HarnessLogRecord[];
  /** With `keepFrames`. Absent where the supervisor died of a signal. */
  readonly frames?: readonly HarnessFrame[];
  /** With a SIGTERM: the signal the supervisor died of (3.4). */
  readonly supervisorSignal?: number | null;
  /** With a SIGTERM: what the supervisor left running; `endedAfterMs` null when it had to be killed after 8 s. */
  readonly orphans?: readonly {
    readonly pid: number;
    readonly name: string;
    readonly endedAfterMs: number | null;
    readonly exitCode: number | null;
  }[];
}
