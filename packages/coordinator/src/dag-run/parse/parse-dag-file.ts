import { basename, dirname, relative, resolve } from "node:path";
import { FrameError } from "@parlance/framing";
import { DEFAULT_SCHEMA_VERSION } from "@parlance/protocol";
import { buildChildEnvironment } from "../../environment.ts";
import { StartError } from "../../launch/start-error.ts";
import { startTaskProcess } from "../../launch/start-task-process.ts";
import type { StartedTask } from "../../launch/started-task.ts";
import { waitForStreams } from "../../launch/wait-for-streams.ts";
import { combineSinks } from "../../logs/combine-sinks.ts";
import { LogPump } from "../../logs/log-pump.ts";
import type { LogRecord, LogSink } from "../../logs/log-record.ts";
import { SecretMasker } from "../../logs/secret-masker.ts";
import { MemoryTaskStore } from "../../store/memory-task-store.ts";
import { RequestSession } from "../../supervise/request-session.ts";
import { within } from "../../time-limit.ts";
import { parseAttempt } from "./parse-attempt.ts";
import { parseHandlers } from "./parse-handlers.ts";
import { readParseResult } from "./parse-result.ts";
import type { DagImportError, ParseDagFileRequest, ParsedDagFile } from "./parse-types.ts";

/** How long what the program has left in its connections may take to be read, in milliseconds. */
const LAST_WORDS_MS = 5_000;

/** Records kept for the answer; more reach the sink only. */
const MAX_RECORDS = 10_000;

const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Asks a program for its Dags, as the Dag processor of Airflow 3.4 does: starts it, sends
 * DagFileParseRequest, answers what it looks up, and takes one DagFileParsingResult. A program of any
 * language and of both schema versions.
 *
 * Never rejects for what the program does: no result, a message that has no place here, a time
 * limit, or a start that fails is an import error, as in Airflow. When it settles, nothing of the
 * program is left.
 */
export async function parseDagFile(request: ParseDagFileRequest): Promise<ParsedDagFile> {
  return await new DagFileParse(request).run();
}

class DagFileParse {
  readonly #request: ParseDagFileRequest;
  readonly #file: string;
  readonly #bundlePath: string;
  readonly #records: LogRecord[] = [];
  readonly #masker = new SecretMasker();
  readonly #pump: LogPump;
  readonly #streams: Promise<void>[] = [];
  readonly #beganAtMs = performance.now();
  #result: ReturnType<typeof readParseResult> | undefined;
  /** Why there is no result. The first reason counts. */
  #fault: { readonly code: string; readonly message: string } | undefined;
  /** Settles when the program is to be ended: by a fault, or when it has taken too long. */
  readonly #over: Promise<void>;
  #end: () => void = () => {};
  #onResult: () => void = () => {};

  constructor(request: ParseDagFileRequest) {
    if (request.argv.length === 0) throw new TypeError("parseDagFile: argv is empty");
    this.#request = request;
    this.#file = resolve(request.cwd ?? "", request.file ?? request.argv.at(-1) ?? "");
    this.#bundlePath = resolve(request.bundlePath ?? dirname(this.#file));
    this.#over = new Promise((done) => {
      this.#end = done;
    });
    const keep: LogSink = {
      write: (record) => {
        if (this.#records.length < MAX_RECORDS) this.#records.push(record);
      },
    };
    this.#pump = new LogPump({
      sink: request.logSink === undefined ? keep : combineSinks(keep, request.logSink),
      masker: this.#masker,
      maxLineBytes: MAX_LINE_BYTES,
      now: () => new Date(),
    });
  }

  async run(): Promise<ParsedDagFile> {
    let task: StartedTask | undefined;
    try {
      task = await this.#start();
      await this.#talk(task);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      this.#fail(error.code, error.message);
    } finally {
      await task?.close();
    }
    await within(LAST_WORDS_MS, Promise.all(this.#streams));
    await this.#pump.flush();
    return this.#answer();
  }

  #start(): Promise<StartedTask> {
    const { argv, env, cwd, ownership, signal } = this.#request;
    return startTaskProcess({
      argv,
      env: env ?? buildChildEnvironment({ env: { _AIRFLOW_PROCESS_CONTEXT: "client" } }),
      startupTimeoutMs: this.#timeLimitMs,
      ...(cwd !== undefined && { cwd }),
      ...(ownership !== undefined && { ownership }),
      ...(signal !== undefined && { signal }),
      onSpawn: ({ stdout, stderr }) => {
        this.#streams.push(
          this.#pump.attach("stdout", stdout),
          this.#pump.attach("stderr", stderr),
        );
      },
    });
  }

  async #talk(task: StartedTask): Promise<void> {
    const { schemaVersion = DEFAULT_SCHEMA_VERSION, bundleName = "parlance" } = this.#request;
    this.#streams.push(this.#pump.attach("logs", task.logs));
    const session = new RequestSession({
      comm: task.comm,
      attempt: parseAttempt({
        schemaVersion,
        store: this.#request.store ?? new MemoryTaskStore(),
        masker: this.#masker,
        file: this.#file,
        bundleName,
      }),
      handlers: parseHandlers({
        result: (body) => {
          if (this.#fault !== undefined) return;
          this.#result = readParseResult(body);
          this.#onResult();
        },
        outOfPlace: (type) => this.#fail("bad-message", `it sent ${type}, which has no place here`),
      }),
      onUnanswered: ({ message }) => this.#fail("bad-message", message),
    });
    const linkEnded = session.ended.then((error) => {
      if (error instanceof FrameError) this.#fail(error.code, error.message);
    });
    session.start({
      file: this.#file,
      bundle_path: this.#bundlePath,
      bundle_name: bundleName,
      callback_requests: [],
      type: "DagFileParseRequest",
    });
    await this.#waitForEnd(task);
    this.#pump.release();
    await waitForStreams([task.comm, task.logs, task.stdout, task.stderr], {
      timeoutMs: LAST_WORDS_MS,
    });
    await within(LAST_WORDS_MS, Promise.all([linkEnded, session.idle()]));
    session.close();
    if (this.#result !== undefined || this.#fault !== undefined) return;
    const code = task.exitStatus?.exitCode ?? null;
    this.#fail("no-result", `it exited with code ${code} without a parse result`);
  }

  /** The exit, or what ends the program before: a fault, the time limit, an abort. */
  async #waitForEnd(task: StartedTask): Promise<void> {
    const { signal, exitLimitMs = 5_000 } = this.#request;
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number, call: () => void): void => {
      timers.push(setTimeout(call, Math.max(0, ms)));
    };
    const limitMs = this.#timeLimitMs - (performance.now() - this.#beganAtMs);
    after(limitMs, () => {
      if (this.#result !== undefined) return; // the limit of the exit holds then
      this.#fail("time-limit", `it has not told its Dags within ${this.#timeLimitMs / 1000} s`);
    });
    this.#onResult = () => after(exitLimitMs, this.#end);
    const abort = (): void => this.#fail("aborted", "told to stop");
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      await Promise.race([task.exited, this.#over]);
      if (task.exitStatus === undefined) await task.killTree();
    } finally {
      signal?.removeEventListener("abort", abort);
      for (const timer of timers) clearTimeout(timer);
      this.#onResult = () => {};
    }
  }

  get #timeLimitMs(): number {
    return this.#request.timeLimitMs ?? 30_000;
  }

  #fail(code: string, message: string): void {
    if (this.#result === undefined) this.#fault ??= { code, message };
    this.#end();
  }

  #answer(): ParsedDagFile {
    const durationMs = performance.now() - this.#beganAtMs;
    const rest = { logs: this.#records, durationMs };
    if (this.#result !== undefined) return { ...this.#result, ...rest };
    const { code, message } = this.#fault ?? { code: "no-result", message: "no result" };
    const error: DagImportError = {
      file: relative(this.#bundlePath, this.#file) || basename(this.#file),
      message: `${this.#request.argv.join(" ")}: ${message}`,
      code,
    };
    return { fileloc: this.#file, dags: [], importErrors: [error], warnings: [], ...rest };
  }
}
