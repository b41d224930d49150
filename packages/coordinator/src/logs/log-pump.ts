import type { Readable } from "node:stream";
import { LineDecoder } from "@parlance/framing";
import type { LogRecord, LogSink } from "./log-record.ts";
import { type RawLine, readLogLine, readOutputLine } from "./read-log-line.ts";
import type { SecretMasker } from "./secret-masker.ts";
import { type SinkError, SinkWriter } from "./sink-writer.ts";

/** What may wait for a slow sink, in bytes, before nothing more is read from the child … */
const MAX_WAITING_BYTES = 1024 * 1024;

/** … and after the child has ended, when what its channels still hold is small. */
const MAX_LAST_BYTES = 64 * 1024 * 1024;

/** About what a record takes beside its line. */
const RECORD_BYTES = 500;

/** What a {@link LogPump} needs. */
export interface LogPumpOptions {
  readonly sink: LogSink | undefined;
  readonly masker: SecretMasker;
  /** Longer lines are cut. */
  readonly maxLineBytes: number;
  /** How long the sink may take for one record, and for its flush. Default 60,000. */
  readonly sinkTimeoutMs?: number | undefined;
  readonly now: () => Date;
}

/** Where lines come from. */
export type LogSource = "logs" | "stdout" | "stderr";

/**
 * Brings the records of one attempt from its streams to its sink: split, read, masked, in order of
 * arrival, one at a time. A slow sink pauses these streams and nothing else.
 */
export class LogPump {
  readonly #options: LogPumpOptions;
  readonly #sink: SinkWriter;
  readonly #waiting: { readonly record: LogRecord; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  #maxWaitingBytes = MAX_WAITING_BYTES;
  readonly #streams = new Set<Readable>();
  #working: Promise<void> | undefined;
  #paused = false;

  constructor(options: LogPumpOptions) {
    this.#options = options;
    this.#sink = new SinkWriter(options.sink, options.sinkTimeoutMs);
  }

  /** The first error of the sink, and how many records it did not take. */
  get sinkError(): SinkError | undefined {
    return this.#sink.error;
  }

  /**
   * Reads a stream; settles at its end. A last line without a line feed is a line.
   */
  attach(source: LogSource, stream: Readable): Promise<void> {
    const decoder = new LineDecoder({ maxLineBytes: this.#options.maxLineBytes });
    const { now } = this.#options;
    const read = (lines: readonly RawLine[]): void => {
      const arrivedAt = now();
      for (const line of lines) {
        this.write(
          source === "logs"
            ? readLogLine(line, arrivedAt)
            : readOutputLine(source, line, arrivedAt),
          line.bytes.byteLength,
        );
      }
    };
    this.#streams.add(stream);
    stream.on("data", (chunk: Uint8Array) => read(decoder.push(chunk)));
    if (this.#paused) stream.pause();
    return new Promise((resolve) => {
      const end = (): void => {
        if (this.#streams.delete(stream)) read(decoder.end());
        resolve();
      };
      stream.on("end", end);
      stream.on("close", end);
      stream.on("error", end);
    });
  }

  /** Takes one record; `lineBytes` is the length of the line it was made of. */
  write(record: LogRecord, lineBytes = 0): void {
    const masked = this.#options.masker.mask(record);
    if (this.#working !== undefined) {
      const bytes = lineBytes + RECORD_BYTES;
      this.#waiting.push({ record: masked, bytes });
      this.#waitingBytes += bytes;
      if (this.#waitingBytes >= this.#maxWaitingBytes) this.#pause();
      return;
    }
    const pending = this.#sink.write(masked);
    if (pending === undefined) return;
    this.#working = pending.then(() => this.#work());
  }

  /**
   * From here on streams are read though the sink is slow: the child has ended, and they shall end
   * before they are cut. Something it has left may still write, so not without a limit.
   */
  release(): void {
    this.#maxWaitingBytes = MAX_LAST_BYTES;
    this.#resume();
  }

  /** From here on the sink has so long for one record. */
  hurry(sinkTimeoutMs: number): void {
    this.#sink.setTimeout(sinkTimeoutMs);
  }

  /** Settles when the sink has taken everything written so far, or has taken too long. */
  async flush(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
    await this.#sink.flush();
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const pending = this.#sink.write(next.record);
      if (pending !== undefined) await pending;
      this.#waitingBytes -= next.bytes;
      if (this.#waitingBytes < this.#maxWaitingBytes / 2) this.#resume();
    }
    this.#working = undefined;
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const stream of this.#streams) stream.pause();
  }

  #resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const stream of this.#streams) stream.resume();
  }
}
