import type { LogRecord } from "../../logs/log-record.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";

/** State of a run. `canceled` and `waiting` are ours: the run can be taken up again. */
export type RunState = "queued" | "running" | "success" | "failed" | "canceled" | "waiting";

/** State of a task instance, in Airflow's words; null: nothing has happened to it. */
export type TaskState =
  | "scheduled"
  | "queued"
  | "running"
  | "success"
  | "failed"
  | "skipped"
  | "upstream_failed"
  | "up_for_retry"
  | "up_for_reschedule"
  | "deferred"
  | "awaiting_input"
  | "removed"
  | "restarting"
  | null;

/** A run. Dates are ISO 8601 in UTC. */
export interface RunSummary {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  /** Why it is in this state, where that is worth a word. */
  readonly note: string | null;
  readonly logicalDate: string | null;
  /** When it was asked for. */
  readonly createdAt: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** Waits are multiplied by this: 1 as on Airflow, 0 at once. */
  readonly timeScale: number;
}

/** A run with its configuration, and how many instances are in which state. */
export interface RunDetail extends RunSummary {
  readonly conf: { readonly [key: string]: unknown };
  /** How often tasks of it were cleared. */
  readonly clearNumber: number;
  /** By state; no state is "none". */
  readonly counts: { readonly [state: string]: number };
  /** Some process runs it at this moment. */
  readonly isActive: boolean;
}

/** A column of the grid. */
export interface GridRun extends RunSummary {
  /** By task id. */
  readonly cells: { readonly [taskId: string]: GridCell };
}

/** What a task did in a run. */
export interface GridCell {
  /** Of a mapped task: of the instance that matters most (failed before running before …). */
  readonly state: TaskState;
  /** The try of that instance; 0 before the first. */
  readonly tryNumber: number;
  /** How many instances a mapped task has; null for a task that is not mapped. */
  readonly instances: number | null;
}

/** Runs, the newest first. */
export interface RunPage<Run extends RunSummary> {
  readonly runs: readonly Run[];
  /** Give it as `before` for older ones; null: there are none. */
  readonly nextBefore: string | null;
}

/** Which runs to list. */
export interface RunFilter {
  /** Default: of all Dags. */
  readonly dagId?: string;
  /** At most so many. Default 50. */
  readonly limit?: number;
  /** `nextBefore` of the page before. */
  readonly before?: string | null;
}

/** One instance of a task in a run. */
export interface InstanceSummary extends TaskInstanceRef {
  readonly state: TaskState;
  /** 0 before the first try. */
  readonly tryNumber: number;
  /** How many tries there may be: retries and one, more after a clear. */
  readonly maxTries: number;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** When it runs again: of `up_for_retry` and `up_for_reschedule`. */
  readonly dueAt: string | null;
  /** The label of a mapped instance. */
  readonly renderedMapIndex: string | null;
  /** Why it is in this state, e.g. which task has skipped it; null where that says itself. */
  readonly note: string | null;
}

/** One run of a task's process. A try that reschedules itself has several. */
export interface AttemptSummary extends TaskInstanceRef {
  /** For its log and frames. */
  readonly attemptId: number;
  readonly tryNumber: number;
  readonly startDate: string;
  /** Null while it runs. */
  readonly endDate: string | null;
  /** How it ended; `running` while it runs. */
  readonly state: TaskState;
  /** Negative for a signal; null while it runs, and where nothing was started. */
  readonly exitCode: number | null;
  /** From spawn to verdict; null while it runs. */
  readonly durationMs: number | null;
  /** Why it could not be started, what it broke, or that the engine died under it. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly hasLog: boolean;
  readonly hasFrames: boolean;
}

/** A wait between two attempts: how it comes about, and how long it is. */
export interface WaitSummary extends TaskInstanceRef {
  readonly kind: "retry" | "reschedule";
  /** The attempt before it; null in a plan. */
  readonly afterAttempt: number | null;
  /** The try that failed before it, or that goes on after it. */
  readonly afterTry: number;
  /**
   * `backoff`: base and jitter, capped. `fixed`: always the same. `override`: the task asked for it.
   * `overflow`: the base was beyond a double, so it is the global cap.
   */
  readonly mode: "backoff" | "fixed" | "override" | "overflow";
  /** `ceil(retryDelay * multiplier^(try - 1))`; null without back-off. */
  readonly baseSeconds: number | null;
  /** 0 to base - 1, out of a hash; null without back-off. */
  readonly jitterSeconds: number | null;
  /** `max_retry_delay` of the task; null for none. */
  readonly capSeconds: number | null;
  readonly cappedBy: null | "max_task_retry_delay" | "max_retry_delay";
  readonly multiplier: number;
  /** What Airflow waits. */
  readonly delaySeconds: number;
  /** What is waited here. */
  readonly scaledSeconds: number;
  /** When the attempt before it ended; null in a plan. */
  readonly beganAt: string | null;
  /** When the next attempt may start; null in a plan. */
  readonly dueAt: string | null;
  /** When it did. */
  readonly startedAt: string | null;
  /** What the task said when it asked for the retry. */
  readonly reason: string | null;
}

/** Part of a file that grows while its attempt runs. */
export interface FilePage<Entry> {
  readonly entries: readonly Entry[];
  /** Give it as `from` for what follows, now or later: a place in the file, in bytes. */
  readonly next: number;
  /** Whether there is more right now. */
  readonly hasMore: boolean;
  /** The attempt is over: once `hasMore` is false, too, nothing more comes. */
  readonly isFinished: boolean;
}

/** A frame as it is kept, secrets replaced by placeholders. */
export interface StoredFrame {
  /** From 1, over both directions. */
  readonly number: number;
  readonly at: string;
  readonly direction: "to-task" | "to-supervisor";
  readonly id: unknown;
  /** The message's type; null where the body names none. */
  readonly type: string | null;
  /** JSON; what JSON has not is `{"$":"int","v":"…"}` and the like. Null where it was cut. */
  readonly body: unknown;
  /** To a task: the error; to the supervisor: the context carrier. */
  readonly third: unknown;
  /** JSON pointers to what was replaced. */
  readonly redacted: readonly string[];
  /** It was larger than is kept: `body` and `third` are null. */
  readonly isCut: boolean;
  /** The file was full: so many frames are not kept, and this stands for them. */
  readonly lost?: number;
}

/** An XCom for people to look at. */
export interface XComSummary extends TaskInstanceRef {
  readonly key: string;
  /** Exact JSON text, secrets masked; only its beginning where `isCut`. */
  readonly json: string;
  readonly isCut: boolean;
}

/** How much of a file to read. */
export interface PageRequest {
  /** `next` of the page before. Default 0, the beginning. */
  readonly from?: number;
  /** At most so many entries. Default 500. */
  readonly limit?: number;
}

/** What was run, read from the store's file. Everything in it may be read while runs go on. */
export interface RunHistory {
  /** Ids of the Dags that have runs, in code point order. */
  dagIds(): Promise<string[]>;
  runs(filter?: RunFilter): Promise<RunPage<RunSummary>>;
  grid(filter: RunFilter & { readonly dagId: string }): Promise<RunPage<GridRun>>;
  run(dagId: string, runId: string): Promise<RunDetail | undefined>;
  /** By task in the order of the Dag, then by map index. */
  instances(dagId: string, runId: string, taskId?: string): Promise<InstanceSummary[]>;
  instance(ref: TaskInstanceRef): Promise<InstanceSummary | undefined>;
  /** Oldest first; without a ref those of the whole run. */
  attempts(
    ref: Omit<TaskInstanceRef, "taskId" | "mapIndex"> & Partial<TaskInstanceRef>,
  ): Promise<AttemptSummary[]>;
  attempt(attemptId: number): Promise<AttemptSummary | undefined>;
  /** Waits that have begun, oldest first. */
  waits(ref: TaskInstanceRef): Promise<WaitSummary[]>;
  /** What it would wait from here on if it failed every time. */
  plannedWaits(ref: TaskInstanceRef): Promise<WaitSummary[]>;
  /** Undefined where there is no such attempt; a page without entries where it has no log. */
  log(attemptId: number, page?: PageRequest): Promise<FilePage<LogRecord> | undefined>;
  frames(attemptId: number, page?: PageRequest): Promise<FilePage<StoredFrame> | undefined>;
  xcoms(
    ref: Omit<TaskInstanceRef, "taskId" | "mapIndex"> & Partial<TaskInstanceRef>,
  ): Promise<XComSummary[]>;
  /** The document that the run was started with; undefined for runs of tasks alone. */
  serializedDag(dagId: string, runId: string): Promise<unknown>;
}
