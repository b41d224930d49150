import type { Duplex } from "node:stream";
import { FrameError } from "@parlance/framing";
import type { ExitStatus } from "../launch/exit-status.ts";
import type { StartedTask } from "../launch/started-task.ts";
import { waitForStreams } from "../launch/wait-for-streams.ts";
import type { LogPump } from "../logs/log-pump.ts";
import { type LogLevel, supervisorRecord } from "../logs/log-record.ts";
import type { FrameObserver } from "../redact/frame-observer.ts";
import { within } from "../time-limit.ts";
import type { Body } from "./answers.ts";
import type { AttemptRecord } from "./attempt-record.ts";
import { Deadlines } from "./deadlines.ts";
import { type Heartbeat, HeartbeatLoop } from "./heartbeat.ts";
import type { MessageObserver } from "./message-observer.ts";
import { RequestSession } from "./request-session.ts";
import type { VersionBridge } from "./version-bridge.ts";

/** How long what a killed process left may take to be read, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** How patient a {@link SupervisedTask} is. */
export interface SupervisionLimits {
  /** From a terminal message to SIGTERM. */
  readonly successOvertimeMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly killGraceMs: number;
  /** From the exit to the cut of connections that something still holds open. */
  readonly socketCleanupTimeoutMs: number;
  readonly maxFrameBytes?: number | undefined;
}

/** What a {@link SupervisedTask} needs. */
export interface SupervisedTaskOptions {
  readonly task: StartedTask;
  /** The task's comm connection, or what stands in its place. */
  readonly comm: Duplex;
  readonly attempt: AttemptRecord;
  readonly pump: LogPump;
  readonly limits: SupervisionLimits;
  readonly signal?: AbortSignal | undefined;
  /** The launch has made sure that an abort of it kills the process. */
  readonly killSignal?: AbortSignal | undefined;
  readonly heartbeat?: Heartbeat | undefined;
  readonly onMessage?: MessageObserver | undefined;
  readonly onFrame?: FrameObserver | undefined;
  /** For a runtime of an older schema version than the attempt's. */
  readonly bridge?: VersionBridge | undefined;
}

/** How the process and its link ended. */
export interface SupervisionOutcome {
  /** Negative for a signal. */
  readonly exitCode: number;
  /** The server has ended the task. */
  readonly serverTerminated: boolean;
  /** The link broke on something that is no frame. */
  readonly fault?: { readonly code: string; readonly message: string };
}

/** A connected child, from StartupDetails to the end of its process and its streams. */
export class SupervisedTask {
  readonly #options: SupervisedTaskOptions;
  readonly #session: RequestSession;
  readonly #deadlines = new Deadlines();
  readonly #heartbeats: HeartbeatLoop | undefined;
  readonly #cut = new AbortController();
  /** How the process ended by our doing; pending for ever when it ended by itself. */
  readonly #ended: Promise<ExitStatus>;
  #settleEnded: (status: ExitStatus) => void = () => {};
  #stopping: Promise<void> | undefined;
  #serverTerminated = false;
  #fault: { readonly code: string; readonly message: string } | undefined;

  constructor(options: SupervisedTaskOptions) {
    const { attempt, limits, heartbeat } = options;
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    this.#session = new RequestSession({
      comm: options.comm,
      attempt,
      maxFrameBytes: limits.maxFrameBytes,
      onMessage: options.onMessage,
      onUnanswered: ({ id, message }) => {
        const event = `Airflow would leave request ${id} without an answer: ${message}`;
        this.#log("warning", event, { request_id: String(id) });
      },
      onFrame: options.onFrame,
      bridge: options.bridge,
    });
    this.#heartbeats =
      heartbeat && new HeartbeatLoop(heartbeat, (verdict) => this.#onHeartbeat(verdict));
  }

  /**
   * Sends the first message, waits for the process to end, and reads what it left in its
   * connections. The end is the exit event; a connection that a descendant holds is cut after
   * `socketCleanupTimeoutMs`. Leaves no timer behind.
   */
  async run(startupDetails: Body): Promise<SupervisionOutcome> {
    const { task, pump, signal, killSignal } = this.#options;
    const onAbort = (): void => this.#onAbort();
    const onKill = (): void => this.#onKill();
    signal?.addEventListener("abort", onAbort, { once: true });
    killSignal?.addEventListener("abort", onKill, { once: true });
    try {
      const linkEnded = this.#session.ended.then((error) => this.#onLinkEnd(error));
      this.#session.start(startupDetails);
      this.#heartbeats?.start();
      if (signal?.aborted === true) this.#onAbort();
      if (killSignal?.aborted === true) this.#onKill();
      const { exitCode } = await Promise.race([task.exited, this.#ended]);
      this.#heartbeats?.stop();
      this.#deadlines.clear();
      pump.release();
      await this.#drain(linkEnded);
      return {
        exitCode,
        serverTerminated: this.#serverTerminated,
        ...(this.#fault && { fault: this.#fault }),
      };
    } finally {
      signal?.removeEventListener("abort", onAbort);
      killSignal?.removeEventListener("abort", onKill);
      this.#heartbeats?.stop();
      this.#deadlines.clear();
      await this.#stopping;
      this.#session.close();
    }
  }

  /** A terminal message came: the process has some time to end by itself. */
  onReport(): void {
    const { successOvertimeMs } = this.#options.limits;
    // A server that knows the outcome takes the task for gone.
    this.#heartbeats?.stop();
    this.#deadlines.set("overtime", successOvertimeMs, () => {
      this.#stop(`it still runs ${successOvertimeMs / 1000} s after its terminal message`);
    });
  }

  /** The task asked for a limit of its own; it gets the usual grace to keep it by itself. */
  onExecutionTimeout(seconds: number): void {
    const afterMs = seconds * 1000 + this.#options.limits.killGraceMs;
    this.#deadlines.set("execution", afterMs, () => {
      this.#stop(`it has passed its execution timeout of ${seconds} s`);
    });
  }

  async #drain(linkEnded: Promise<void>): Promise<void> {
    const { task, comm, limits, killSignal } = this.#options;
    const { logs, stdout, stderr } = task;
    const limitMs =
      killSignal?.aborted === true
        ? Math.min(limits.socketCleanupTimeoutMs, LAST_WORDS_MS)
        : limits.socketCleanupTimeoutMs;
    const startedAt = performance.now();
    const cut = await waitForStreams([comm, logs, stdout, stderr], {
      timeoutMs: limitMs,
      signal: this.#cut.signal,
    });
    if (cut.length > 0) {
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      this.#log(
        "warning",
        `something still held ${cut.length} connection(s) ${seconds} s after the exit: cut`,
      );
    }
    await linkEnded;
    const leftMs = Math.max(0, limitMs - (performance.now() - startedAt));
    await within(leftMs, this.#session.idle());
  }

  #onLinkEnd(error: Error | undefined): void {
    if (!(error instanceof FrameError)) return; // A reset is an end like any other.
    const fields = {
      code: error.code,
      ...(error.streamOffset !== undefined && { stream_offset: error.streamOffset }),
    };
    this.#log(
      "error",
      `the comm link can't be read on: ${error.message}${this.#onStock(error)}`,
      fields,
    );
    // A process that dies while it writes says nothing about what it had reported before.
    const cutOff = error.code === "truncated";
    if (cutOff && this.#options.attempt.strictAirflow) return;
    if (cutOff && this.#options.attempt.reported !== null) return;
    this.#fault = { code: error.code, message: error.message };
    if (!cutOff) this.#terminate();
    // Cut off in a frame it is most likely dying by itself.
    const { killGraceMs } = this.#options.limits;
    this.#deadlines.set("link", killGraceMs, () => this.#stop("its comm link is cut off"));
  }

  /** With `strictAirflow`: what a stock supervisor would come to. Here the task is ended in either case. */
  #onStock({ code }: FrameError): string {
    if (!this.#options.attempt.strictAirflow) return "";
    if (code === "truncated") return ". A stock supervisor takes it for the end of the link";
    if (code === "empty-frame" || code === "too-large") {
      return ". A stock supervisor would read nothing more of the link, and wait for the process";
    }
    return ". A stock supervisor would die of it, and leave the process running";
  }

  #onHeartbeat(verdict: "gone" | "failing"): void {
    this.#serverTerminated = verdict === "gone";
    this.#stop(verdict === "gone" ? "the server has ended it" : "its heartbeats fail");
  }

  #onAbort(): void {
    if (this.#options.task.exitStatus !== undefined) this.#cut.abort();
    else this.#stop("the coordinator was told to");
  }

  #onKill(): void {
    if (this.#options.task.exitStatus !== undefined) {
      this.#cut.abort();
      return;
    }
    this.#log("warning", "ending the task with SIGKILL: the coordinator was told to");
    this.#terminate(); // also when it takes long to die, this settles
  }

  #stop(reason: string): void {
    if (this.#stopping !== undefined || this.#options.task.exitStatus !== undefined) return;
    this.#log("warning", `ending the task with SIGTERM: ${reason}`);
    this.#terminate();
  }

  #terminate(): void {
    if (this.#options.task.exitStatus !== undefined) return;
    this.#stopping ??= this.#options.task.terminate().then(this.#settleEnded);
  }

  #log(level: LogLevel, event: string, fields?: { readonly [field: string]: unknown }): void {
    const { pump, attempt } = this.#options;
    pump.write(supervisorRecord(attempt.now(), level, event, fields));
  }
}
