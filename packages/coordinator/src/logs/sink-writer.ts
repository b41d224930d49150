import { openTimeLimit, type TimeLimit } from "../time-limit.ts";
import { LogFileError } from "./log-file.ts";
import type { LogRecord, LogSink } from "./log-record.ts";

const DEFAULT_TIMEOUT_MS = 60_000;

/** The first error of a sink, and how many records it did not take. */
export interface SinkError {
  readonly message: string;
  readonly lost: number;
}

/**
 * Gives records to a sink, one at a time, and lives with whatever it does: it may throw, reject, or
 * never settle. One that takes too long for a record is left alone until it has settled after all;
 * what comes in between is lost, and counted.
 */
export class SinkWriter {
  readonly #sink: LogSink | undefined;
  #timeoutMs: number;
  #error: { readonly message: string; lost: number } | undefined;
  /** Ends the wait for the call that is under way. */
  #goOn: (() => void) | undefined;
  #since = 0;
  /** Running on between two records, too, but holding the process only during one. */
  #limit: TimeLimit | undefined;
  #isStuck = false;
  #hasWarned = false;

  constructor(sink: LogSink | undefined, timeoutMs: number = DEFAULT_TIMEOUT_MS) {
    this.#sink = sink;
    this.#timeoutMs = timeoutMs;
  }

  get error(): SinkError | undefined {
    return this.#error;
  }

  /** Holds for the call that is under way, too. */
  setTimeout(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
    this.#limit?.stop();
    this.#limit = undefined;
    if (this.#goOn !== undefined) this.#watch();
  }

  /** Gives a promise only where the sink takes its time. It never rejects. */
  write(record: LogRecord): Promise<void> | undefined {
    if (this.#sink === undefined) return undefined;
    if (this.#isStuck) return this.#lose(1);
    return this.#call(1, this.#sink, (sink) => sink.write(record));
  }

  /** Lets a sink that keeps something back write it; nothing is timed after that. */
  async flush(): Promise<void> {
    if (this.#sink !== undefined && !this.#isStuck) {
      await this.#call(0, this.#sink, (sink) => sink.flush?.());
    }
    this.#limit?.stop();
    this.#limit = undefined;
  }

  #call(
    records: number,
    sink: LogSink,
    call: (sink: LogSink) => unknown,
  ): Promise<void> | undefined {
    let pending: unknown;
    try {
      pending = call(sink);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
    return isThenable(pending) ? this.#settled(pending, records) : undefined;
  }

  /** One promise a record, and not a race with one for all: that would keep every record it ever had. */
  #settled(pending: PromiseLike<unknown>, records: number): Promise<void> {
    this.#since = performance.now();
    this.#watch();
    return new Promise((resolve) => {
      this.#goOn = () => {
        this.#isStuck = true;
        this.#lose(records);
        resolve();
      };
      const end = (): void => {
        if (this.#isStuck && this.#error !== undefined) this.#error.lost -= records;
        this.#isStuck = false;
        this.#goOn = undefined;
        this.#limit?.hold(false);
        resolve();
      };
      pending.then(end, (error: unknown) => {
        this.#fail(error);
        end();
      });
    });
  }

  /** One timer for many records. */
  #watch(): void {
    this.#limit?.hold(true);
    this.#limit ??= openTimeLimit(this.#timeoutMs - (performance.now() - this.#since), () => {
      this.#limit = undefined;
      if (this.#goOn === undefined) return;
      if (performance.now() - this.#since < this.#timeoutMs) return this.#watch();
      this.#giveUp(this.#goOn);
    });
  }

  /** There is no log left to say it in. */
  #giveUp(goOn: () => void): void {
    const message = `a log sink has not settled for ${this.#timeoutMs / 1000} s: records are lost`;
    if (!this.#hasWarned) process.emitWarning(message, "ParlanceWarning");
    this.#hasWarned = true;
    this.#error ??= { message, lost: 0 };
    this.#goOn = undefined;
    goOn();
  }

  #fail(error: unknown): void {
    this.#error ??= { message: error instanceof Error ? error.message : String(error), lost: 0 };
    this.#error.lost += error instanceof LogFileError ? error.lostRecords : 1;
  }

  #lose(records: number): undefined {
    if (this.#error !== undefined) this.#error.lost += records;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
