import { monotonicMs, type TaskChannel } from "@parlance/framing";
import { TaskStoppedError } from "../errors.ts";
import type { Fault, ProcessMonitor } from "./process-monitor.ts";

/** Why a task ends before its handler did. */
export interface Stop {
  readonly kind: "fault" | "timeout" | "signal" | "link-lost";
  readonly error: unknown;
  /** When it happened, as `monotonicMs()`. */
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
  #onUrgent: (stop: Stop) => void = () => {};
  #urgent: Stop | undefined;
  /** Resolves at the first cause. */
  readonly stopped: Promise<Stop>;
  /** Resolves at a second signal, or a fault after the first cause: no time is left to clean up. */
  readonly hurried: Promise<void>;
  /** Resolves at the first signal or the loss of the link, whatever was before: the time is short. */
  readonly pressed: Promise<Stop>;
  /** After the terminal message was sent nothing can change the result; faults are told here. */
  onLateFault: ((fault: Fault) => void) | undefined;

  constructor(monitor: ProcessMonitor, channel: TaskChannel) {
    this.stopped = new Promise((resolve) => {
      this.#onStop = resolve;
    });
    this.hurried = new Promise((resolve) => {
      this.#onHurry = resolve;
    });
    this.pressed = new Promise((resolve) => {
      this.#onUrgent = resolve;
    });
    monitor.onFault((fault) => {
      if (this.onLateFault !== undefined) this.onLateFault(fault);
      else this.end("fault", fault.error);
    });
    monitor.onSignal((name) => {
      const error = new TaskStoppedError("signal", `the task was stopped by ${name}`);
      this.end("signal", error);
    });
    void channel.closed.then((cause) => {
      const error = new TaskStoppedError("link-lost", "the supervisor has gone", { cause });
      this.end("link-lost", error);
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

  /** Because of which the process has but seconds left, when there is something. */
  get urgent(): Stop | undefined {
    return this.#urgent;
  }

  /** Ends the task for a further cause, found by the runtime itself. */
  end(kind: Stop["kind"], error: unknown): void {
    const stop = { kind, error, at: monotonicMs() };
    if (this.#urgent === undefined && (kind === "signal" || kind === "link-lost")) {
      this.#urgent = stop;
      this.#onUrgent(stop);
    }
    if (this.#stop !== undefined) {
      if (kind !== "link-lost") this.#onHurry();
      return;
    }
    this.#stop = stop;
    this.#onStop(stop);
    this.#abort.abort(error);
  }
}
