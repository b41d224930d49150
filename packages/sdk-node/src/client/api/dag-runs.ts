import type { JsonValue } from "../xcom-value.ts";
import type { Exact, Moment } from "./dates.ts";
import type { JsonMap } from "./json.ts";

/** State of a Dag run. */
export type DagRunState = "queued" | "running" | "success" | "failed";

/** An event that started a run. */
export interface TriggeringAssetEvent {
  readonly asset: {
    readonly name: string;
    readonly uri: string;
    readonly extra: { readonly [key: string]: JsonValue };
  };
  readonly extra: { readonly [key: string]: JsonValue };
  readonly source: {
    readonly dagId: string | null;
    readonly taskId: string | null;
    readonly runId: string | null;
    readonly mapIndex: number | null;
  };
  readonly aliases: readonly string[];
  readonly timestamp: Date;
  readonly exact: Exact<"timestamp">;
  readonly partitionKey: string | null;
}

/** A run of a Dag. */
export interface DagRun {
  readonly dagId: string;
  readonly runId: string;
  /** For example `scheduled`, `manual` or `asset_triggered`. */
  readonly runType: string;
  readonly state: DagRunState;
  readonly logicalDate: Date | null;
  readonly dataIntervalStart: Date | null;
  readonly dataIntervalEnd: Date | null;
  readonly runAfter: Date;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly exact: Exact<
    | "logicalDate"
    | "dataIntervalStart"
    | "dataIntervalEnd"
    | "runAfter"
    | "startDate"
    | "endDate"
    | "partitionDate"
  >;
  readonly conf: { readonly [key: string]: JsonValue };
  /** How often it was cleared. */
  readonly clearNumber: number;
  readonly triggeringUser: string | null;
  /** Empty where Airflow does not tell; those of this task's run are in `context.assetEvents`. */
  readonly assetEvents: readonly TriggeringAssetEvent[];
  readonly partitionKey: string | null;
  readonly partitionDate: Date | null;
  /** Null also where Airflow does not tell: 3.3.2 and 3.4.0b2 leave it out of the run that is asked for. */
  readonly note: string | null;
  readonly team: string | null;
}

/** Names a run; what is left out is that of the calling task. */
export interface DagRunRef {
  readonly dagId?: string | undefined;
  readonly runId?: string | undefined;
}

/** What to start. */
export interface TriggerDagRunOptions {
  readonly dagId: string;
  /**
   * Say one to start the same run only once, whatever the number of tries of this task.
   *
   * @default a new one, `manual__` with the date and some letters
   */
  readonly runId?: string | undefined;
  readonly conf?: JsonMap | undefined;
  /** @default none */
  readonly logicalDate?: Moment | null | undefined;
  /** Not before this moment. @default now */
  readonly runAfter?: Moment | null | undefined;
  /** Part of the schema, and dropped by the supervisors of 3.3.2 and 3.4.0b2. */
  readonly partitionKey?: string | null | undefined;
  readonly note?: string | null | undefined;
  /**
   * What to do when the run is there already: fail, leave it as it is, or clear it so that it
   * runs again.
   *
   * @default "fail"
   */
  readonly ifExists?: "fail" | "keep" | "reset" | undefined;
}

/** The run that was asked for. */
export interface TriggeredDagRun {
  readonly dagId: string;
  readonly runId: string;
  /** False when it was there already and was kept. */
  readonly started: boolean;
}

/** Which runs to count: those that fit all that is said. */
export interface DagRunFilter {
  /** @default the calling task's Dag */
  readonly dagId?: string | undefined;
  readonly logicalDates?: readonly Moment[] | undefined;
  readonly runIds?: readonly string[] | undefined;
  readonly states?: readonly DagRunState[] | undefined;
}

/** Dates of the last successful run before this one; all null when there was none. */
export interface SuccessfulRunDates {
  readonly dataIntervalStart: Date | null;
  readonly dataIntervalEnd: Date | null;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly exact: Exact<"dataIntervalStart" | "dataIntervalEnd" | "startDate" | "endDate">;
}

/** A Dag as the server knows it. */
export interface Dag {
  readonly dagId: string;
  readonly isPaused: boolean;
  readonly bundleName: string | null;
  readonly bundleVersion: string | null;
  readonly file: string | null;
  readonly owners: string | null;
  readonly tags: readonly string[];
  readonly nextRun: Date | null;
  readonly exact: Exact<"nextRun">;
}

/** Dags and their runs. */
export interface DagRuns {
  /**
   * Starts a run.
   *
   * @throws NotFoundError `dag-not-found`
   * @throws SupervisorError `already-exists` when the run is there and `ifExists` is "fail"
   */
  trigger(options: TriggerDagRunOptions): Promise<TriggeredDagRun>;
  /** A run, this task's own when nothing is said; null when there is none. */
  get(run?: DagRunRef): Promise<DagRun | null>;
  /** Its state; null when there is no such run. */
  getState(run?: DagRunRef): Promise<DagRunState | null>;
  count(filter?: DagRunFilter): Promise<number>;
  /** The run with the latest logical date before this run's, or before the date given. */
  getPrevious(options?: {
    readonly dagId?: string | undefined;
    /** @default that of the calling task's run; when it has none, there is no previous run */
    readonly logicalDate?: Moment | undefined;
    readonly state?: DagRunState | undefined;
  }): Promise<DagRun | null>;
  getPreviousSuccess(): Promise<SuccessfulRunDates>;
  /** Writes the note of this task's run, up to 1000 characters; null removes it. Needs schema 2026-10-30. */
  setNote(note: string | null): Promise<void>;
  /** A Dag, this task's own when nothing is said; null when there is none. */
  getDag(dagId?: string): Promise<Dag | null>;
}
