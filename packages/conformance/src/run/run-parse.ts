import { once } from "node:events";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import {
  buildChildEnvironment,
  type LogRecord,
  type RawLine,
  readLogLine,
  readOutputLine,
  StartError,
  type StartedTask,
  startTaskProcess,
  type TaskResult,
} from "@parlance/coordinator";
import {
  decodeRequestFrame,
  encodeResponseFrame,
  FrameDecoder,
  LineDecoder,
} from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import type { ConformanceCase } from "../case/case-types.ts";
import { LinkStage } from "../link/link-stage.ts";
import { messageType } from "../link/message-type.ts";
import type { AttemptWatch } from "./attempt-watch.ts";
import { findOwnBundle } from "./own-bundle.ts";
import type { CaseEvidence, RuntimeUnderTest } from "./run-case.ts";

/** So long Airflow waits for the end of the process behind its answer. */
const EXIT_GRACE_MS = 5_000;

/** Asks a runtime for the Dags of its file, as Airflow's Dag processor does. */
export async function runParse(
  runtime: RuntimeUnderTest,
  wanted: ConformanceCase,
  version: SchemaVersion,
  watch: AttemptWatch,
): Promise<CaseEvidence> {
  const started = performance.now();
  const noted = { version, frames: [], leftUnanswered: [], xcoms: {}, variables: {} };
  const { records, supervisor } = watch;
  let task: StartedTask | undefined;
  try {
    task = await startTaskProcess({
      argv: runtime.argv,
      env: buildChildEnvironment({ logLevel: wanted.logLevel ?? "DEBUG", env: runtime.env ?? {} }),
      startupTimeoutMs: wanted.deadlineSeconds * 1_000,
      signal: watch.terminate.signal,
      killSignal: watch.kill.signal,
      ...(runtime.cwd !== undefined && { cwd: runtime.cwd }),
    });
    const parse = new ParseSession(task, wanted, watch, await request(runtime));
    const { exitCode, seconds } = await parse.run();
    const result: TaskResult = {
      finalState: exitCode === 0 ? "success" : "failed",
      exitCode,
      durationMs: performance.now() - started,
    };
    const { frames } = parse.stage.log;
    return { ...noted, result, frames, records, supervisor, seconds, late: watch.late };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const durationMs = performance.now() - started;
    const { code, message, exitCode = null } = error;
    const result: TaskResult = {
      finalState: "failed",
      exitCode,
      durationMs,
      error: { code, message },
    };
    return { ...noted, result, records, supervisor, seconds: durationMs / 1_000, late: watch.late };
  } finally {
    await task?.close();
  }
}

async function request(runtime: RuntimeUnderTest): Promise<Record<string, unknown>> {
  const { argv, cwd = process.cwd() } = runtime;
  const file = (await findOwnBundle(runtime)) ?? resolve(cwd, argv.at(-1) ?? "");
  return {
    file,
    bundle_path: dirname(file),
    bundle_name: "conformance",
    callback_requests: [],
    type: "DagFileParseRequest",
  };
}

class ParseSession {
  readonly stage: LinkStage;
  readonly #task: StartedTask;
  readonly #watch: AttemptWatch;
  readonly #requests = new FrameDecoder({ maxFrameBytes: 2 ** 30 });
  readonly #first: Record<string, unknown>;
  #answeredAt: number | undefined;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    task: StartedTask,
    wanted: ConformanceCase,
    watch: AttemptWatch,
    first: Record<string, unknown>,
  ) {
    this.#task = task;
    this.#watch = watch;
    this.#first = first;
    this.stage = new LinkStage(task.comm, wanted.link, (type) => watch.onRequest(type));
  }

  /** `seconds`: from the answer to the end of the process; from the beginning where there was none. */
  async run(): Promise<{ readonly exitCode: number | null; readonly seconds: number }> {
    const begun = performance.now();
    const { logs, stdout, stderr, exited } = this.#task;
    const now = new Date();
    const read = [
      this.#lines(logs, (line) => readLogLine(line, now)),
      this.#lines(stdout, (line) => readOutputLine("stdout", line, now)),
      this.#lines(stderr, (line) => readOutputLine("stderr", line, now)),
    ];
    stdout.startBackpressure();
    stderr.startBackpressure();
    this.stage.on("error", () => {});
    this.stage.on("data", (chunk: Buffer) => this.#onBytes(chunk));
    this.stage.write(encodeResponseFrame({ id: 0, body: this.#first }));
    this.#watch.terminate.signal.addEventListener("abort", () => void this.#task.terminate(), {
      once: true,
    });
    const { exitCode } = await exited;
    clearTimeout(this.#grace);
    const seconds = (performance.now() - (this.#answeredAt ?? begun)) / 1_000;
    await this.#task.killTree();
    await Promise.race([Promise.all(read), new Promise((done) => setTimeout(done, 1_000))]);
    return { exitCode, seconds };
  }

  #onBytes(chunk: Buffer): void {
    try {
      for (const payload of this.#requests.push(chunk)) this.#onRequest(payload);
    } catch {
      // The frame log has it.
    }
  }

  #onRequest(payload: Uint8Array): void {
    const { id, body } = decodeRequestFrame(payload);
    if (messageType(body) === "DagFileParsingResult") {
      this.#answeredAt ??= performance.now();
      this.#grace ??= setTimeout(() => void this.#task.kill("SIGKILL"), EXIT_GRACE_MS);
      this.stage.write(encodeResponseFrame({ id, body: null }));
      return;
    }
    const detail = {
      message: "the kit answers no requests of a program that is asked for its Dags",
    };
    const error = { type: "ErrorResponse", error: "GENERIC_ERROR", detail };
    this.stage.write(encodeResponseFrame({ id, body: null, error }));
  }

  async #lines(stream: Readable, read: (line: RawLine) => LogRecord): Promise<void> {
    const decoder = new LineDecoder({ maxLineBytes: 2 ** 26 });
    stream.on("data", (chunk: Buffer) => {
      for (const line of decoder.push(chunk)) void this.#watch.write(read(line));
    });
    await once(stream, "end").catch(() => {});
    for (const line of decoder.end()) void this.#watch.write(read(line));
  }
}
