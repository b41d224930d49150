import type { SchemaVersion } from "@parlance/protocol";

/** The options of `parlance run`, read and checked. */
export interface RunOptions {
  readonly dagId: string;
  /** One task: exactly one attempt of it. */
  readonly taskId: string | undefined;
  readonly runId: string;
  readonly tryNumber: number;
  readonly shouldRetry: boolean;
  readonly retries: number;
  /** -1 for a task that is not mapped. */
  readonly mapIndex: number;
  /** Path of the Dag's file in its Dag bundle, and the bundle's name. */
  readonly dagFile: string | undefined;
  readonly bundleName: string | undefined;
  /** JSON that the task is resumed with; undefined where it begins. */
  readonly event: string | undefined;
  /** `memory` or `sqlite:FILE`. */
  readonly store: string;
  readonly seedStore: string | undefined;
  readonly schemaVersion: SchemaVersion | undefined;
  /** What the supervisor speaks; undefined for whatever the runtime does. */
  readonly headVersion: SchemaVersion | undefined;
  /** `NAME=JSON` words: arguments of the Python call. */
  readonly args: readonly string[];
  /** The run's configuration: `--conf`, and `NAME=JSON` words of `--param`. */
  readonly conf: string | undefined;
  readonly params: readonly string[];
  /** ISO 8601, or `none`. */
  readonly logicalDate: string | undefined;
  /** Of whole Dags: waits are multiplied by it; undefined for 1, or that of the run taken up. */
  readonly timeScale: number | undefined;
  /** Of whole Dags: so many tasks at once; undefined for the number of processors. */
  readonly parallel: number | undefined;
  /** Of whole Dags: what has failed in the run that is taken up runs again. */
  readonly rerunFailed: boolean;
  readonly startupTimeoutMs: number;
  readonly logLevel: string | undefined;
  readonly namespaceLevels: string | undefined;
  readonly inheritEnv: boolean;
  readonly trace: TraceOption;
  /** A file that every log record is appended to. */
  readonly logFile: string | undefined;
  readonly logFormat: "json" | "text";
  readonly inspectBrk: boolean;
  readonly strictAirflow: boolean;
  readonly json: boolean;
  /** Where each task's outcome is stored for Celery; undefined where it is not. */
  readonly results: ResultsOptions | undefined;
}

/** Whether frames are shown, and if so whether each is cut to the width of the terminal. */
export type TraceOption = "none" | "line" | "full";

/** The options of `parlance run` that begin with `--results`. */
export interface ResultsOptions {
  /** Undefined for the one in the environment. */
  readonly url: string | undefined;
  readonly urlFile: string | undefined;
  /** Text with `{dag}`, `{run}` and `{task}`. */
  readonly idTemplate: string;
  readonly serializer: "json" | "yaml" | "msgpack";
}
