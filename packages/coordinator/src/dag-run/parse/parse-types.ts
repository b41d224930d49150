import type { SchemaVersion } from "@parlance/protocol";
import type { LogRecord, LogSink } from "../../logs/log-record.ts";
import type { TaskStore } from "../../store/task-store.ts";
import type { SerializedDag } from "../dag/runnable-dag.ts";

/** What to ask for its Dags, and how. */
export interface ParseDagFileRequest {
  /** The program and its first arguments; `--comm=` and `--logs=` are added behind them. */
  readonly argv: readonly string[];
  /** The schema version it speaks. Default 2026-06-16. */
  readonly schemaVersion?: SchemaVersion;
  /** The file that Airflow would ask about. Default: the last word of `argv`, as an absolute path. */
  readonly file?: string;
  /** The folder of the Dag bundle. Default: that of `file`. */
  readonly bundlePath?: string;
  /** Default `parlance`. */
  readonly bundleName?: string;
  /** Answers Variables, Connections and XComs. Default: an empty one in memory. */
  readonly store?: TaskStore;
  /** The complete environment. Default: the allow-list that tasks get. */
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  /** From the start to the result. Default 30,000, as `[core] dagbag_import_timeout`. */
  readonly timeLimitMs?: number;
  /** From the result to the exit; then the program is killed, and the result kept. Default 5,000. */
  readonly exitLimitMs?: number;
  readonly ownership?: "required" | "off";
  /** Takes each record as it comes. They are in the answer as well (the first 10,000). */
  readonly logSink?: LogSink;
  /** An abort ends the program. */
  readonly signal?: AbortSignal;
}

/** What a program said about its Dags. */
export interface ParsedDagFile {
  /** As the program said; the file asked for where there was no result. */
  readonly fileloc: string;
  readonly dags: readonly SerializedDag[];
  /** What Airflow would show as import errors; also why there is no result. */
  readonly importErrors: readonly DagImportError[];
  readonly warnings: readonly unknown[];
  readonly logs: readonly LogRecord[];
  readonly durationMs: number;
}

/** Why a Dag, or the whole file, could not be read. */
export interface DagImportError {
  /** Relative to the bundle, as the program said. */
  readonly file: string;
  readonly message: string;
  /**
   * `reported`: by the program itself. Else there was no result: `no-result`, `time-limit`,
   * `bad-message`, or the code of the failed start or the broken frame.
   */
  readonly code: string;
}
