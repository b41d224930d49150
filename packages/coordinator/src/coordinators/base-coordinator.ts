import type { Duplex } from "node:stream";
import type { TaskArgBinding } from "@parlance/protocol";
import type { LogSink } from "../logs/log-record.ts";
import type { SecretMasker } from "../logs/secret-masker.ts";
import type { FrameObserver } from "../redact/frame-observer.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { FinalState } from "../supervise/final-state.ts";
import type { Heartbeat } from "../supervise/heartbeat.ts";
import type { MessageObserver } from "../supervise/message-observer.ts";
import type { DagRunSpec, TaskInstanceSpec } from "../supervise/task-instance.ts";

/** What a try that waits is resumed with: the event of its trigger (or a person), or its failure. */
export type ResumeEvent =
  /** A value for the wire, where Python's own types are in the form of their serde maps. */
  | { readonly event: unknown }
  /** `Trigger timeout` is what a trigger that took too long fails with. */
  | { readonly failure: string; readonly traceback?: readonly string[] };

/** One attempt to run. */
export interface ExecuteTaskRequest {
  readonly taskInstance: TaskInstanceSpec;
  /** What the task's questions are answered from. It is not closed. */
  readonly store: TaskStore;
  /** Takes the records; without one they are read and dropped. */
  readonly logSink?: LogSink | undefined;
  /** An abort is SIGTERM to the process, then SIGKILL after `killGraceMs`. */
  readonly signal?: AbortSignal | undefined;
  /** An abort is SIGKILL at once, and no long wait for anything after it: a second Ctrl-C, say. */
  readonly killSignal?: AbortSignal | undefined;
  readonly dagRun?: DagRunSpec | undefined;
  /**
   * Resumes a try that the store has as deferred or awaiting input. In any other state it is a failed
   * start with the code `nothing-to-resume`, and the store stays as it is.
   */
  readonly resume?: ResumeEvent | undefined;
  /**
   * Arguments of the Python call, in wire form. Default: null, as for a call without arguments. A
   * child of schema 2026-06-16 gets none: that schema has no place for them.
   */
  readonly argBindings?: readonly TaskArgBinding[] | null | undefined;
  /** Tells a server that the attempt is alive, and hears from it when it should end. */
  readonly heartbeat?: Heartbeat | undefined;
  /** Told of each frame on the comm link, for a trace; it never sees a value. */
  readonly onMessage?: MessageObserver | undefined;
  /** Told of each frame with its values, secrets replaced by placeholders. Costs a copy of what has any. */
  readonly onFrame?: FrameObserver | undefined;
  /**
   * Learns the secrets that the attempt hears of, and masks in its records those that it knew before.
   * It may be shared by many attempts. Default: one of the attempt's own.
   */
  readonly masker?: SecretMasker | undefined;
  /**
   * Called with the comm connection before anything is read from it or written to it; what it gives
   * takes the connection's place. For tools that look at the bytes or change them: it must end when
   * the connection ends. Default: the connection itself.
   */
  readonly interpose?: ((comm: Duplex) => Duplex) | undefined;
}

/** How an attempt ended. */
export interface TaskResult {
  readonly finalState: FinalState;
  /** Negative for a signal; null where no process ever ran. */
  readonly exitCode: number | null;
  /** From the start of the launch to the verdict. */
  readonly durationMs: number;
  /** Body of the last terminal message, as it came. */
  readonly terminal?: { readonly [key: string]: unknown };
  /** What a RetryTask message asked for. */
  readonly retry?: { readonly delaySeconds?: number; readonly reason?: string };
  /**
   * Why the attempt did not run, or broke off: a code of the launch (`spawn-failed`,
   * `exited-before-connect`, `startup-timeout`, `ownership-unavailable`, `aborted`), of the bundle
   * search (`bundle-not-found`), or of a frame (`not-msgpack`, `bad-id`, …).
   */
  readonly error?: { readonly code: string; readonly message: string };
  /** The first error of the log sink, and how many records it refused. */
  readonly logError?: { readonly message: string; readonly lost: number };
}

/** Runs task attempts somewhere. */
export abstract class BaseCoordinator {
  /**
   * Runs one attempt to its end. A task that fails, or can't be started, is a result; it never
   * rejects for what a child does. When it settles, no process, socket or timer of the attempt is
   * left. Any number of attempts may run at once.
   */
  abstract executeTask(request: ExecuteTaskRequest): Promise<TaskResult>;
}
