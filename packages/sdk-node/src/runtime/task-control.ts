import type { TaskChannel } from "@parlance/framing";
import { TaskStoppedError } from "../errors.ts";
import type { Fault, ProcessMonitor } from "./process-monitor.ts";

/** Why a task ends before its handler did. */
export interface Stop {
  readonly kind: "fault" | "signal" | "link-lost";
  readonly error: unknown;
  /** When it happened, as `performance.now()`. */
  readonly at: number;
}

/**
 * Everything that may end a task from outside its handler, as one abort signal and one promise.
 * Only the first cause counts.
 */
export class TaskControl {
  readonly #abort = new AbortController();
  #stop: Stop | undefined;
  #onStop: (stop: Stop) => void = () => {};
  #onHurry: () => void = () => {};
  /** Resolves at the first cause. */
  readonly stopped: Promise<Stop>;
  /** Resolves at a second signal, or a fault after the first cause: no time is left to clean up. */
  readonly hurried: Promise<void>;
  /** After the terminal message was sent nothing can change the result; faults are told here. */
  onLateFault: ((fault: Fault) => void) | undefined;

  constructor(monitor: ProcessMonitor, channel: TaskChannel) {
    this.stopped = new Promise((resolve) => {
      this.#onStop = resolve;
    });
    this.hurried = new Promise((resolve) => {
      this.#onHurry = resolve;
    });
    monitor.onFault((fault) => {
      if (this.onLateFault !== undefined) this.onLateFault(fault);
      else this.#end("fault", fault.error);
    });
    monitor.onSignal((name) => {
      const error = new TaskStoppedError("signal", `the task was stopped by ${name}`);
      this.#end("signal", error);
    });
    void channel.closed.then((cause) => {
      const error = new TaskStoppedError("link-lost", "the supervisor has gone", { cause });
      this.#end("link-lost", error);
    });
  }

  /** Aborts at the first cause, with its error as reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The first cause, when there was one. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  #end(kind: Stop["kind"], error: unknown): void {
    if (this.#stop !== undefined) {
      if (kind !== "link-lost") this.#onHurry();
      return;
    }
    this.#stop = { kind, error, at: performance.now() };
    this.#onStop(this.#stop);
    this.#abort.abort(error);
  }
}
