import type { Exact, Moment } from "./dates.ts";

/** State of a task instance; one that has not been looked at yet has none. */
export type TaskInstanceState =
  | "removed"
  | "scheduled"
  | "queued"
  | "running"
  | "success"
  | "restarting"
  | "failed"
  | "up_for_retry"
  | "up_for_reschedule"
  | "upstream_failed"
  | "skipped"
  | "deferred"
  | "awaiting_input";

/** Which task instances: those that fit all that is said. */
export interface TaskInstanceFilter {
  /** @default the calling task's Dag */
  readonly dagId?: string | undefined;
  readonly taskIds?: readonly string[] | undefined;
  readonly taskGroupId?: string | undefined;
  readonly runIds?: readonly string[] | undefined;
  readonly logicalDates?: readonly Moment[] | undefined;
  readonly mapIndex?: number | undefined;
}

/** A task instance of an earlier run. */
export interface PreviousTaskInstance {
  readonly dagId: string;
  readonly taskId: string;
  readonly runId: string;
  readonly logicalDate: Date | null;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly exact: Exact<"logicalDate" | "startDate" | "endDate">;
  readonly state: TaskInstanceState | null;
  readonly tryNumber: number;
  readonly mapIndex: number;
  readonly durationSeconds: number | null;
}

/** A task instance of a run that has ended. */
export interface EndedTaskInstance {
  readonly taskId: string;
  readonly mapIndex: number;
  readonly state: TaskInstanceState | null;
  /** Class of the operator in Python. */
  readonly operator: string | null;
  readonly durationSeconds: number | null;
}

/** Task instances of this Dag or another one. */
export interface TaskInstances {
  /** How many there are; `null` among the states stands for those without one. */
  count(
    filter?: TaskInstanceFilter & {
      readonly states?: readonly (TaskInstanceState | null)[] | undefined;
    },
  ): Promise<number>;
  /** State by run id and task id; a mapped instance is `task_0`, `task_1` and so on. */
  getStates(filter?: TaskInstanceFilter): Promise<{
    readonly [runId: string]: { readonly [taskId: string]: TaskInstanceState | null };
  }>;
  /** The same task's latest instance before this run; null when there is none. */
  getPrevious(options?: {
    readonly dagId?: string | undefined;
    readonly taskId?: string | undefined;
    /** Look before this moment. @default the logical date of the calling task's run */
    readonly logicalDate?: Moment | null | undefined;
    /** @default the calling task's own index, for the calling task */
    readonly mapIndex?: number | undefined;
    readonly state?: TaskInstanceState | undefined;
  }): Promise<PreviousTaskInstance | null>;
  /** When this try was first rescheduled; null when it was not. */
  getFirstReschedule(): Promise<Date | null>;
  /** What has ended in a run, this task's own when nothing is said. */
  listEnded(run?: {
    readonly dagId?: string | undefined;
    readonly runId?: string | undefined;
  }): Promise<readonly EndedTaskInstance[]>;
}
