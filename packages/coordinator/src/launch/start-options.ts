import type { ForeignConnection } from "../accept/channel-acceptor.ts";
import type { OwnershipChecker } from "../ownership/ownership-checker.ts";
import type { OutputBuffer } from "./output-buffer.ts";

/** From the launch to both connections, in milliseconds (as stock). */
export const DEFAULT_STARTUP_TIMEOUT_MS = 10_000;

/** From SIGTERM to SIGKILL, in milliseconds. */
export const DEFAULT_KILL_GRACE_MS = 5_000;

/** What a process has written, as soon as it is there; see {@link StartTaskProcessOptions.onSpawn}. */
export interface SpawnedOutput {
  readonly pid: number;
  /** `performance.now()` just before the process was started. */
  readonly spawnedAtMs: number;
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
}

/** @see startTaskProcess */
export interface StartTaskProcessOptions {
  /** Program and arguments; no shell sees them. `--comm=…` and `--logs=…` are appended, in this order. */
  readonly argv: readonly string[];
  /** The complete environment: see `buildChildEnvironment`. One variable is added, PARLANCE_TASK_PROCESS. */
  readonly env: { readonly [name: string]: string };
  /** Working folder; ours by default. */
  readonly cwd?: string;
  /** Time for both connections together, from the start on, in milliseconds. Default 10,000 (as stock). */
  readonly startupTimeoutMs?: number;
  /** From SIGTERM to SIGKILL, in milliseconds. Default 5,000. */
  readonly killGraceMs?: number;
  /**
   * `required` (default): only connections from the launched process tree are taken; `off`: the
   * first connection on each port is taken, whoever makes it. A checker of one's own is used as it is.
   */
  readonly ownership?: "required" | "off" | OwnershipChecker;
  /** Aborting ends the start: SIGTERM, after `killGraceMs` SIGKILL. No effect once it is through. */
  readonly signal?: AbortSignal;
  /** Aborting is SIGKILL to everything that was started, during the start and after it. */
  readonly killSignal?: AbortSignal;
  /**
   * Called once the process runs, before it has connected, with its output. Who wants the output of
   * a failed start too reads it here; the same streams are in the result.
   */
  readonly onSpawn?: (output: SpawnedOutput) => void;
  /** Told of the first 20 connections refused as foreign. */
  readonly onForeignConnection?: (connection: ForeignConnection) => void;
}
