import { type Bundle, type Program, toBundle } from "../bundle.ts";
import { RegistrationError, TaskStoppedError } from "../errors.ts";
import type { LaunchArguments } from "../launch/arguments.ts";
import { handOver } from "../launch/bundle-receiver.ts";
import type { Links } from "../launch/links.ts";
import { captureWarnings } from "../logs/capture-warnings.ts";
import { captureConsole } from "../logs/console-capture.ts";
import { createLevelFilter } from "../logs/level-filter.ts";
import { type DroppedLines, LogChannel } from "../logs/log-channel.ts";
import { ChannelLogHub } from "../logs/log-hub.ts";
import { createLogger, type Logger } from "../logs/logger.ts";
import { recordLine } from "../logs/record.ts";
import { needsExitHolder, startExitHolder } from "./exit-holder.ts";
import { flushOutput } from "./flush-output.ts";
import { ProcessMonitor } from "./process-monitor.ts";
import type { ServeOptions } from "./serve-options.ts";
import { runSession } from "./session.ts";
import { StandardStreams } from "./standard-streams.ts";

/**
 * What records may take while nobody reads them, in bytes: with what Node's heap grows by meanwhile,
 * a loop that never gives way adds no more than 64 MiB to the process.
 */
const MAX_BUFFERED_BYTES = 40 * 1024 * 1024;
/** Of that, what only errors may use: why a task failed must not be lost in a flood. */
const RESERVED_BYTES = 4 * 1024 * 1024;
const EXIT_STALL_MS = 10_000;

/**
 * This process in its part of a task: its two links, its log and its end. There is one, made when
 * the package is loaded; outside of a task it only logs to stderr.
 */
export class TaskProcess {
  readonly #arguments: LaunchArguments;
  readonly #links: Links | undefined;
  readonly #channel: LogChannel;
  readonly #hub: ChannelLogHub;
  readonly #monitor: ProcessMonitor;
  readonly #streams: StandardStreams = new StandardStreams();
  #isServing = false;
  #hasSession = false;

  constructor(launchArguments: LaunchArguments, links: Links | undefined) {
    this.#arguments = launchArguments;
    this.#links = links;
    this.#channel = new LogChannel({
      maxBufferedBytes: MAX_BUFFERED_BYTES,
      reservedBytes: RESERVED_BYTES,
      writeToStderr: (bytes, written) => void process.stderr.write(bytes, () => written()),
      droppedLine,
    });
    const filter = createLevelFilter({
      level: process.env["AIRFLOW__LOGGING__LOGGING_LEVEL"],
      namespaceLevels: process.env["AIRFLOW__LOGGING__NAMESPACE_LEVELS"],
    });
    this.#hub = new ChannelLogHub(filter, this.#channel);
    this.#monitor = new ProcessMonitor(process, () => this.#channel.end());
    if (links === undefined) {
      this.#channel.useStderr();
    } else {
      this.#channel.attach(links.logs);
      for (const { code, message } of filter.problems) {
        if (code !== "root-level-refused") this.getLogger("parlance").warning(message);
      }
    }
  }

  /** Takes over what a task's process must not leave to chance. Only when there are links. */
  takeOver(): void {
    if (this.#links !== undefined) {
      this.#streams.watch(process);
      captureConsole(console, this.#hub);
      captureWarnings(process, this.#hub);
      this.#monitor.install();
      this.#monitor.onFault((fault) => {
        this.#start(undefined, {}); // sets its own listener, which is told about this fault too
        this.#monitor.tell(fault);
      });
    }
    const { mode } = this.#arguments;
    if (mode === "none" || mode === "wrong") return; // the flags may be those of another program
    if (mode === "metadata") {
      // What the program prints while it loads must not stand in the document.
      process.stdout.write = process.stderr.write.bind(
        process.stderr,
      ) as typeof process.stdout.write;
    }
    process.on("beforeExit", () => {
      if (this.#isServing || this.#hasSession) return;
      const message = "the program ended without calling serve(bundle)";
      if (this.#links !== undefined) {
        const error = new TaskStoppedError("never-served", message);
        this.#monitor.tell({ kind: "never-served", error });
      } else {
        this.#isServing = true;
        process.exitCode = 1;
        process.stderr.write(`parlance: ${message}\n`);
      }
    });
  }

  getLogger(name: string): Logger {
    return createLogger(this.#hub, name);
  }

  /** See `serve`. */
  serve(program: Program, options: ServeOptions): void {
    if (typeof program !== "object" || program === null) {
      const message = "serve(…) got no Bundle, expected `new Bundle()` or `dag(…)`";
      throw new RegistrationError("bad-bundle", message);
    }
    const faults: unknown[] = [];
    const bundle = toBundle(program, (error) => {
      // In a task, or where Airflow reads the Dags, the other Dags have to do with it.
      if (this.#arguments.mode !== "task") throw error;
      faults.push(error);
    });
    if (this.#isServing) {
      const message = "serve(bundle) was called before; one process serves one bundle, once";
      throw new RegistrationError("already-serving", message);
    }
    if (handOver(bundle)) return;
    this.#isServing = true;
    if (this.#arguments.mode === "task") this.#start(bundle, options, faults);
    else void this.#answer(bundle, this.#arguments);
  }

  /** Says what was asked about the program; tasks do without what that takes. */
  async #answer(
    bundle: Bundle,
    asked: Exclude<LaunchArguments, { readonly mode: "task" }>,
  ): Promise<void> {
    process.exitCode = 1;
    const { answerQuestion } = await import("../launch/answer-question.ts");
    const code = await answerQuestion(bundle, asked);
    await flushOutput(this.#channel, [process.stdout, process.stderr], EXIT_STALL_MS);
    process.exit(code);
  }

  #start(bundle: Bundle | undefined, options: ServeOptions, faults: readonly unknown[] = []): void {
    if (this.#hasSession || this.#links === undefined) return;
    this.#hasSession = true;
    const { comm, logs } = this.#links;
    comm.ref();
    logs.ref();
    if (options.maxLogLineBytes !== undefined) this.#hub.maxLineBytes = options.maxLogLineBytes;
    const session = runSession({
      comm,
      links: [comm, logs],
      bundle,
      faults,
      monitor: this.#monitor,
      log: this.getLogger("task"),
      runtimeLog: this.getLogger("parlance"),
      options: {
        firstFrameTimeoutMs: options.firstFrameTimeoutMs ?? 30_000,
        requestTimeoutMs: options.requestTimeoutMs ?? 600_000,
        graceMs: options.graceMs ?? 3000,
        maxFrameBytes: options.maxFrameBytes,
        environment: options.environmentLookups === false ? undefined : process.env,
      },
      whileReporting: () => {
        if (options.exitHolder ?? needsExitHolder(process.env)) startExitHolder();
      },
      flush: (stallMs) => this.#flush(stallMs),
    });
    void session.then((code) => this.#end(code));
  }

  /**
   * Never ends the links before the process: when a supervisor of stock Airflow sees all of them
   * at their end a moment before the process itself has gone, it sleeps for up to five seconds.
   */
  async #end(code: number): Promise<void> {
    await this.#flush(code === 0 ? EXIT_STALL_MS : 1000);
    this.#monitor.exit(code);
  }

  #flush(stallMs: number): Promise<boolean> {
    return flushOutput(this.#channel, this.#streams.used(process), stallMs);
  }
}

function droppedLine({ count, from, to }: DroppedLines): string {
  const event =
    `${count} records were dropped: more than ${MAX_BUFFERED_BYTES >> 20} MiB of them waited to be read. ` +
    "Await log.drained() now and then where much is logged";
  const fields = { dropped: count, dropped_from: from, dropped_to: to };
  const record = { time: new Date(), level: "error", logger: "parlance", event, fields } as const;
  return recordLine(record, 1 << 16);
}
