import { hostname } from "node:os";
import type { LogRecord, TaskResult, TaskStore } from "@parlance/coordinator";
import {
  type ResultStore,
  type StoreInput,
  TaskFailure,
  type TaskRequest,
} from "@parlance/results";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { toCliError } from "../results/store/to-cli-error.ts";
import { unlessAborted } from "../results/store/unless-aborted.ts";
import { warn } from "../warn.ts";
import { LastFailure } from "./last-failure.ts";
import { toResultValue } from "./result-value.ts";
import type { RunOptions } from "./run-options.ts";
import { attemptOutcome } from "./task-outcome.ts";

/** What became of a task's row: the field `results` of an entry in the JSON. */
export interface RecordedOutcome {
  /** The task id in the result store. */
  readonly id: string;
  /** The row's state afterwards; null when it is not known. */
  readonly state: string | null;
  /** False for a row that was SUCCESS already, which is final, and after an error. */
  readonly written: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

/** One attempt as the recorder sees it. */
export interface RecordedAttempt {
  /** Takes each record of the attempt. */
  see(record: LogRecord): void;
  /** Stores how it ended; never rejects. */
  end(result: TaskResult): Promise<RecordedOutcome>;
}

/** @see openResultsRecorder */
export interface RecorderSetting {
  readonly store: ResultStore;
  /** Where the tasks leave their XComs. */
  readonly xcoms: TaskStore["xcoms"];
  readonly options: Pick<RunOptions, "dagId" | "runId" | "json">;
  /** The id in the result store of each task. */
  readonly idOf: (taskId: string) => string;
  /** Arguments of the call, by name. */
  readonly kwargs: ReadonlyMap<string, unknown>;
  readonly io: CommandIo;
}

/**
 * Keeps each task's row in a result store up to date: STARTED when an attempt begins, then how it
 * ended. A store that fails is told on stderr and in the outcome, and costs the task nothing.
 */
export class ResultsRecorder {
  readonly #setting: RecorderSetting;
  /** Of the first outcome that could not be stored. */
  #exitCode: ExitCode | undefined;

  constructor(setting: RecorderSetting) {
    this.#setting = setting;
  }

  /** What the command should end with for the store's sake; undefined when all was stored. */
  get exitCode(): ExitCode | undefined {
    return this.#exitCode;
  }

  /** Stores that an attempt begins; never rejects. */
  async start(taskId: string, tryNumber: number): Promise<RecordedAttempt> {
    const host = hostname();
    const request: TaskRequest = {
      task: `${this.#setting.options.dagId}.${taskId}`,
      args: [],
      kwargs: this.#setting.kwargs,
      hostname: `parlance@${host}`,
      retries: tryNumber - 1,
    };
    const id = this.#setting.idOf(taskId);
    const started = { state: "STARTED", result: { pid: process.pid, hostname: host }, request };
    try {
      const { written } = await this.#store(id, started);
      if (!written) {
        await this.#warn(
          "already-final",
          `${id} is SUCCESS already, which is final: nothing of this run is stored`,
        );
      }
    } catch (error) {
      const { code, message } = describe(error);
      await this.#warn(code, `that ${taskId} began was not stored: ${message}`);
    }
    const failure = new LastFailure();
    return {
      see: (record) => failure.see(record),
      end: (result) => this.#end(id, taskId, result, failure, request),
    };
  }

  async close(): Promise<void> {
    await this.#unlessKilled(this.#setting.store.close()).catch(() => {}); // the rows are written
  }

  async #end(
    id: string,
    taskId: string,
    result: TaskResult,
    { failure }: LastFailure,
    request: TaskRequest,
  ): Promise<RecordedOutcome> {
    try {
      const value = await this.#returnValue(taskId, result);
      const outcome = { ...attemptOutcome(result, failure, value), request };
      return { id, ...(await this.#storeEncodable(id, outcome)) };
    } catch (error) {
      const { code, message, exitCode } = describe(error);
      this.#exitCode ??= exitCode;
      await this.#warn(code, `the outcome of ${taskId} was not stored: ${message}`);
      return { id, state: null, written: false, error: { code, message } };
    }
  }

  async #returnValue(taskId: string, { finalState }: TaskResult): Promise<unknown> {
    if (finalState !== "success") return null;
    const { xcoms, options } = this.#setting;
    const { dagId, runId } = options;
    const stored = await xcoms.get({ dagId, runId, taskId, mapIndex: -1, key: "return_value" });
    return stored === undefined ? null : toResultValue(stored.value);
  }

  /** As a Celery worker does: a value that can't be encoded is stored as the failure to do so. */
  async #storeEncodable(id: string, input: StoreInput): Promise<Omit<RecordedOutcome, "id">> {
    try {
      return await this.#store(id, input);
    } catch (error) {
      const { code, message, exitCode } = describe(error);
      if (code !== "cannot-encode" && code !== "value-too-large") throw error;
      this.#exitCode ??= exitCode;
      await this.#warn(code, `the result of ${id} was stored as a failure: ${message}`);
      const result = new TaskFailure({
        type: "EncodeError",
        module: "kombu.exceptions",
        args: [message],
      });
      const outcome = await this.#store(id, { ...input, state: "FAILURE", result });
      return { ...outcome, error: { code, message } };
    }
  }

  #store(id: string, input: StoreInput): Promise<{ written: boolean; state: string }> {
    return this.#unlessKilled(this.#setting.store.store(id, input));
  }

  /** A second Ctrl-C waits for no database. */
  async #unlessKilled<Value>(work: Promise<Value>): Promise<Value> {
    const { killSignal } = this.#setting.io;
    try {
      return await unlessAborted(work, killSignal);
    } catch (error) {
      if (killSignal?.aborted !== true) throw error;
      throw new CliError("aborted", "it was interrupted", ExitCode.failed);
    }
  }

  #warn(code: string, message: string): Promise<void> {
    return warn(this.#setting.io, this.#setting.options.json, code, `--results: ${message}`);
  }
}

function describe(error: unknown): { code: string; message: string; exitCode: ExitCode } {
  const known = toCliError(error);
  if (known instanceof CliError) return known;
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message, exitCode: ExitCode.internal };
}
