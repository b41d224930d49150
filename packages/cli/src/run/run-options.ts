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
  /** `memory` or `sqlite:FILE`. */
  readonly store: string;
  readonly seedStore: string | undefined;
  readonly schemaVersion: SchemaVersion | undefined;
  /** `NAME=JSON` words: arguments of the Python call. */
  readonly args: readonly string[];
  readonly startupTimeoutMs: number;
  readonly logLevel: string | undefined;
  readonly namespaceLevels: string | undefined;
  readonly inheritEnv: boolean;
  readonly trace: boolean;
  readonly inspectBrk: boolean;
  readonly json: boolean;
}
