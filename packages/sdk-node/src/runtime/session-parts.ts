import type { Socket } from "node:net";
import type { Bundle } from "../bundle.ts";
import type { Logger } from "../logs/logger.ts";
import type { ProcessMonitor } from "./process-monitor.ts";

/** Times and sizes of a session; see `ServeOptions`. */
export interface SessionOptions {
  readonly firstFrameTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly graceMs: number;
  readonly maxFrameBytes?: number | undefined;
  /** Where Variables and Connections are looked for before the supervisor is asked. */
  readonly environment?: { readonly [name: string]: string | undefined } | undefined;
}

/** What a session works with. */
export interface SessionParts {
  readonly comm: Socket;
  /** What must not keep the process when nothing else does; none where the process is not the task's. */
  readonly links?: readonly Socket[];
  /** Undefined when the program failed before it served one. */
  readonly bundle: Bundle | undefined;
  /** What is wrong with Dags of the program, which are not in the bundle. */
  readonly faults?: readonly unknown[];
  readonly monitor: ProcessMonitor;
  /** The task's own logger, and the runtime's. */
  readonly log: Logger;
  readonly runtimeLog: Logger;
  readonly options: SessionOptions;
  /** Sees to it that all output is with the system; gives up after `stallMs` without progress. */
  readonly flush: (stallMs: number) => Promise<boolean>;
  /** Called when the report is on its way: what it does costs no time while the answer is awaited. */
  readonly whileReporting: () => void;
}
