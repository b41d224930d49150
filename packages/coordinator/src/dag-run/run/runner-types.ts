import type { BaseCoordinator } from "../../coordinators/base-coordinator.ts";
import type { LogRecord, LogSink } from "../../logs/log-record.ts";
import type { ObservedFrame } from "../../redact/frame-observer.ts";
import type { RunnableDag } from "../dag/runnable-dag.ts";
import type {
  AttemptSummary,
  InstanceSummary,
  RunState,
  RunSummary,
  WaitSummary,
} from "../history/history-types.ts";

/** How a runner runs. */
export interface DagRunnerOptions {
  /** So many tasks at once, over all runs. Default: the number of processors. */
  readonly parallel?: number;
  /** Slots by pool. A pool that is not named has 128, as Airflow's default pool. */
  readonly pools?: { readonly [pool: string]: number };
  /** `[core] max_task_retry_delay`. Default 86,400. */
  readonly maxTaskRetryDelaySeconds?: number;
  /** Keep the frames of each attempt (at most 16 MiB). Default true. */
  readonly keepFrames?: boolean;
  /** The clock. Default the system's. */
  readonly now?: () => Date;
}

/** A run to start, or to take up again. */
export interface StartRunRequest {
  readonly dag: RunnableDag;
  /** Runs the tasks. It may serve many runs. */
  readonly coordinator: BaseCoordinator;
  /** Default: `manual__` and the present. */
  readonly runId?: string;
  /**
   * What to do with a run of that id. `resume`, the default: go on with it, finished tasks are left
   * alone. `refuse`: a `run-exists` error.
   */
  readonly ifExists?: "resume" | "refuse";
  /** Values of params, and whatever else tasks read. Of a new run only. */
  readonly conf?: { readonly [key: string]: unknown };
  /** Of a new run. Default: the present; null for none. */
  readonly logicalDate?: Date | null;
  /** Waits are multiplied by this, 0 to 1000. Default 1, or that of the run that is resumed. */
  readonly timeScale?: number;
  /** At most so many tasks of this run at once; the runner's and the Dag's own limits hold beside it. */
  readonly parallel?: number;
  /** Tasks to run again first: they, and what failed or was skipped because of them, are cleared. */
  readonly clear?: readonly TaskSelection[];
  /** Told of everything that happens in this run; must not throw. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Takes the records of an attempt, beside the history's own file. */
  readonly logSink?: (attempt: AttemptSummary) => LogSink | undefined;
  readonly onFrame?: (attempt: AttemptSummary, frame: ObservedFrame) => void;
}

/** Instances to run again. */
export interface TaskSelection {
  readonly taskId: string;
  /** One instance of a mapped task. Default: all. */
  readonly mapIndex?: number;
  /** Also whatever comes after it. Default true. */
  readonly downstream?: boolean;
}

/** What happens in a run. Everything told is in the store by then. */
export type RunEvent =
  | { readonly type: "run"; readonly run: RunSummary }
  | { readonly type: "instance"; readonly instance: InstanceSummary }
  /** A mapped task has got its instances. */
  | { readonly type: "expanded"; readonly taskId: string; readonly count: number }
  | { readonly type: "attempt-started"; readonly attempt: AttemptSummary }
  | { readonly type: "attempt-ended"; readonly attempt: AttemptSummary }
  | { readonly type: "wait"; readonly wait: WaitSummary }
  | { readonly type: "log"; readonly attempt: AttemptSummary; readonly record: LogRecord }
  | { readonly type: "frame"; readonly attempt: AttemptSummary }
  /** Something a person should know, e.g. that a task waits for a trigger that nothing runs here. */
  | { readonly type: "notice"; readonly message: string };

/** How a run ended, for now. */
export interface RunOutcome {
  /**
   * `success` and `failed` as Airflow judges. `canceled`: told to stop. `waiting`: only tasks are left
   * that wait for something that does not exist here (a trigger, a person, an earlier run).
   */
  readonly state: Exclude<RunState, "queued" | "running">;
  readonly note: string | null;
  /** By task in the order of the Dag, then by map index. */
  readonly instances: readonly InstanceSummary[];
}

/** A run that this process runs. */
export interface ActiveRun {
  readonly dagId: string;
  readonly runId: string;
  /** Never rejects for what tasks do; rejects when the store fails. */
  readonly ended: Promise<RunOutcome>;
  /** Ends the running tasks with SIGTERM and leaves a run that can be resumed. */
  cancel(): Promise<RunOutcome>;
  /** The same with SIGKILL. */
  kill(): Promise<RunOutcome>;
  /** Clears tasks while the run goes on; a waiting one runs at once. */
  clear(selection: readonly TaskSelection[]): Promise<void>;
}

/** Runs Dags on this machine, as far as Airflow's scheduler decides what runs when. */
export interface DagRunnerApi {
  /** @throws DagRunError `run-locked`, `run-exists`, `bad-request`, `dag-changed`, … */
  start(request: StartRunRequest): Promise<ActiveRun>;
  /** Runs that this runner runs at this moment. */
  active(): readonly ActiveRun[];
  /** Told of the events of all its runs; gives what ends that. */
  onEvent(listener: (event: RunEvent, run: ActiveRun) => void): () => void;
  /** Cancels every run. */
  close(): Promise<void>;
}
