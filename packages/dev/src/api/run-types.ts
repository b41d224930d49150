/**
 * State of a run. `canceled` and `waiting` are not Airflow's: such a run can be taken up again. `waiting`:
 * only tasks are left that wait for something that does not exist here, e.g. a trigger.
 */
export type RunState = "queued" | "running" | "success" | "failed" | "canceled" | "waiting";

/** State of a task instance, in Airflow's words; null: it has not been looked at yet. */
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

/** One run. */
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
  /** Waits of retries are multiplied by this; 1: as on Airflow, 0: at once. */
  readonly timeScale: number;
}

/** Runs as the columns of a grid, newest first. */
export interface RunPage {
  readonly runs: readonly GridRun[];
  /** Give it as `before` for the runs that are older; null: there are none. */
  readonly nextBefore: string | null;
}

/** One column of the grid. */
export interface GridRun extends RunSummary {
  /** By task id; a task without an entry was not looked at. */
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

/** One run with everything in it. */
export interface RunDetail extends RunSummary {
  /** JSON. */
  readonly conf: { readonly [key: string]: unknown };
  /** By task in the order of the Dag, then by map index. */
  readonly instances: readonly TaskInstance[];
  /** Whether it is being run at this moment, so that it can be canceled. */
  readonly isActive: boolean;
}

/** Names one instance of a task. */
export interface InstanceRef {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  /** -1 for a task that is not mapped. */
  readonly mapIndex: number;
}

/** One instance of a task in a run. */
export interface TaskInstance extends InstanceRef {
  readonly state: TaskState;
  /** 0 before the first try. */
  readonly tryNumber: number;
  /** How many tries there may be: retries and one. */
  readonly maxTries: number;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** When it runs again: of `up_for_retry` and `up_for_reschedule`. */
  readonly dueAt: string | null;
  /** The label of a mapped instance. */
  readonly renderedMapIndex: string | null;
  /** Why it is in this state, where that is worth a word. */
  readonly note: string | null;
}

/** Starts a run. */
export interface StartRun {
  /** Values of params and whatever else tasks read; a JSON object. Default `{}`. */
  readonly conf?: { readonly [key: string]: unknown };
  /** ISO 8601 with a zone. Default: now; null: none. */
  readonly logicalDate?: string | null;
  /** 0 to 1000. Default: that of the server (`--time-scale`). */
  readonly timeScale?: number;
  /** Of plain tasks: which to run. Default: all. */
  readonly taskIds?: readonly string[];
}

/** The run that was started. */
export interface RunStarted {
  readonly runId: string;
}

/** Runs a task again, or ends its wait. */
export interface RetryTask {
  /** Default -1. */
  readonly mapIndex?: number;
}
