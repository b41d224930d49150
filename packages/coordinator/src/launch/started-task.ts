import type { Socket } from "node:net";
import type { ExitStatus } from "./exit-status.ts";
import type { OutputBuffer } from "./output-buffer.ts";

/** A task process that runs and has connected both channels. */
export interface StartedTask {
  /** Of the launched process (the connecting one may be a descendant). */
  readonly pid: number;
  /** `performance.now()` just before the process was started. */
  readonly spawnedAtMs: number;
  /** The accepted connections; nothing has been read from them. An error handler is attached. */
  readonly comm: Socket;
  readonly logs: Socket;
  /** All output from the first byte on. Somebody has to read both, else the child stands still. */
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
  /** Settles in the same turn as the exit event of the launched process; never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Undefined while the launched process runs. */
  readonly exitStatus: ExitStatus | undefined;
  /**
   * Sends a signal to the launched process and everything it started. Without an own process group
   * (Windows) to each of them. Never reaches the coordinator's own group.
   */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM to all, after `killGraceMs` SIGKILL to what is left; gives how the process ended. */
  terminate(): Promise<ExitStatus>;
  /**
   * Ends everything that the task started, by SIGKILL: also what has left tree, group or session.
   * Gives the process numbers that could not be ended within 2 s (normally none).
   */
  killTree(): Promise<readonly number[]>;
  /** {@link killTree}, and closes both connections and both outputs. Can be called again. */
  close(): Promise<void>;
}
