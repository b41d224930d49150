import { type Bundle, isBundle } from "../bundle.ts";
import { RegistrationError, TaskStoppedError } from "../errors.ts";
import { type LaunchArguments, usageText } from "../launch/arguments.ts";
import { writeDescription } from "../launch/describe.ts";
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

/** What records may take in memory while nobody reads them, in bytes. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
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
    this.#monitor = new ProcessMonitor(process, () => this.#channel.dumpSync());
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
      captureConsole(console, this.#hub);
      captureWarnings(process, this.#hub);
      this.#monitor.install();
      this.#monitor.onFault((fault) => {
        this.#start(undefined, {}); // sets its own listener, which is told about this fault too
        this.#monitor.tell(fault);
      });
    }
    if (this.#arguments.mode === "none") return;
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
  serve(bundle: Bundle, options: ServeOptions): void {
    if (!isBundle(bundle)) {
      throw new RegistrationError("bad-bundle", "serve(…) got no Bundle, expected `new Bundle()`");
    }
    if (this.#isServing) {
      const message = "serve(bundle) was called before; one process serves one bundle, once";
      throw new RegistrationError("already-serving", message);
    }
    this.#isServing = true;
    if (this.#arguments.mode === "describe") this.#describe(bundle, this.#arguments.fd);
    else if (this.#arguments.mode === "none") this.#refuse(this.#arguments.problem);
    else this.#start(bundle, options);
  }

  #describe(bundle: Bundle, fd: number): void {
    process.exitCode = 1;
    writeDescription(bundle, fd);
    void this.#flush(EXIT_STALL_MS).then(() => process.exit(0));
  }

  #refuse(problem: string): void {
    process.exitCode = 2;
    process.stderr.write(usageText(problem));
    void this.#flush(EXIT_STALL_MS).then(() => process.exit(2));
  }

  #start(bundle: Bundle | undefined, options: ServeOptions): void {
    if (this.#hasSession || this.#links === undefined) return;
    this.#hasSession = true;
    const { comm, logs } = this.#links;
    comm.ref();
    logs.ref();
    if (options.maxLogLineBytes !== undefined) this.#hub.maxLineBytes = options.maxLogLineBytes;
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    const session = runSession({
      comm,
      links: [comm, logs],
      bundle,
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
    return flushOutput(this.#channel, [process.stdout, process.stderr], stallMs);
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
