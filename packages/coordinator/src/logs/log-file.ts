import { type FileHandle, open } from "node:fs/promises";
import type { TaskInstanceSpec } from "../supervise/task-instance.ts";
import { emitJson } from "../text/json-text.ts";
import { formatLogRecord } from "./format-log-record.ts";
import type { LogRecord, LogSink } from "./log-record.ts";

/** What may wait for the disk, in bytes, before a writer has to wait, too. */
const MAX_WAITING_BYTES = 256 * 1024;

/** Longer pieces of a line are bytes at once: the whole may be longer than a string can be. */
const PIECE_CHARACTERS = 65_536;

/** By so many last bytes a line that did not fit is known again. */
const COMPARED_BYTES = 4_096;

const LINE_FEED = 0x0a;

/** How records stand in a file: one JSON object a line, or text for people. */
export type LogFormat = "json" | "text";

/** @see openLogFile */
export interface OpenLogFileOptions {
  /** Default `json`. */
  readonly format?: LogFormat;
  /** `text`: paths in stacks are shown from this folder on. */
  readonly cwd?: string;
  /** Told of the first record that could not be written, e.g. of a full disk; once. */
  readonly onError?: (error: LogFileError) => void;
}

/** Whose records a sink of {@link LogFile.forAttempt} takes. */
export type LogFileAttempt = Pick<
  TaskInstanceSpec,
  "dagId" | "runId" | "taskId" | "mapIndex" | "tryNumber"
>;

/** Records could not be written: `cannot-open`, or later `cannot-write` (the disk is full, …). */
export class LogFileError extends Error {
  readonly code: "cannot-open" | "cannot-write" | "closed";
  readonly path: string;
  /** How many records are lost since the last report. */
  readonly lostRecords: number;

  constructor(
    code: LogFileError["code"],
    message: string,
    details: { readonly path: string; readonly lostRecords?: number; readonly cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.path = details.path;
    this.lostRecords = details.lostRecords ?? 0;
  }
}

Object.defineProperty(LogFileError.prototype, "name", { value: "LogFileError" });

/**
 * Opens a file for the log records of one attempt or of many at once: a {@link LogSink}.
 *
 * The file is made if it is missing, readable and writable for its owner alone (mode 0600; one that
 * exists keeps its mode), and appended to. A record is one piece of the file, also when several
 * attempts, sinks or processes write at the same time (on a local disk). A file that does not end
 * with a line feed, because its writer was killed, gets one first.
 *
 * `json`: one object a line, the record as it is. `text`: as {@link formatLogRecord} writes it, with
 * the full time.
 *
 * @throws LogFileError `cannot-open`
 */
export async function openLogFile(
  path: string,
  options: OpenLogFileOptions = {},
): Promise<LogFile> {
  const format = options.format ?? "json";
  if (format !== "json" && format !== "text") {
    throw new TypeError(`openLogFile: format is ${String(format)}; expected "json" or "text"`);
  }
  let handle: FileHandle | undefined;
  try {
    // To read is needed for the last byte, which a pipe has not and a folder of others may not give.
    handle = await open(path, "a+", 0o600).catch(() => open(path, "a", 0o600));
    const startsInLine = await endsInLine(handle);
    return new LogFile({ ...options, format, path, handle, startsInLine });
  } catch (cause) {
    await handle?.close().catch(() => {});
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LogFileError("cannot-open", `openLogFile ${path}: ${why}`, { path, cause });
  }
}

async function endsInLine(handle: FileHandle): Promise<boolean> {
  const stat = await handle.stat();
  if (!stat.isFile() || stat.size === 0) return false;
  const last = Buffer.alloc(1);
  const { bytesRead } = await handle
    .read(last, 0, 1, stat.size - 1)
    .catch(() => ({ bytesRead: 0 }));
  return bytesRead === 1 && last[0] !== LINE_FEED;
}

interface LogFileParts extends OpenLogFileOptions {
  readonly format: LogFormat;
  readonly path: string;
  readonly handle: FileHandle;
  readonly startsInLine: boolean;
}

/**
 * A file of log records, made by {@link openLogFile}.
 *
 * A disk that is slower than the records makes their writers wait, so a coordinator reads no more
 * from the child. Records that can't be written are lost and counted: `onError` hears of the first,
 * {@link flush} of their number, and the next ones are tried again. No part of a record is left.
 */
export class LogFile implements LogSink {
  readonly path: string;
  readonly #format: LogFormat;
  readonly #cwd: string | undefined;
  readonly #handle: FileHandle;
  readonly #onError: ((error: LogFileError) => void) | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;
  /** The last byte of the file is not the end of a line. */
  #isInLine: boolean;
  #cause: unknown;
  #lostRecords = 0;
  #lostInAll = 0;
  #closing: Promise<void> | undefined;

  /** Use {@link openLogFile}. */
  constructor(parts: LogFileParts) {
    this.path = parts.path;
    this.#format = parts.format;
    this.#cwd = parts.cwd;
    this.#handle = parts.handle;
    this.#onError = parts.onError;
    this.#isInLine = parts.startsInLine;
  }

  /** How many records could not be written so far. */
  get lostRecords(): number {
    return this.#lostInAll;
  }

  /**
   * Takes a record, which is on its way to the file then. Gives a promise when so much waits that
   * the caller should, too; the promise never rejects.
   *
   * @throws LogFileError `closed`
   */
  write(record: LogRecord): void | Promise<void> {
    if (this.#closing !== undefined) {
      const message = `write to the log file ${this.path}: it is closed`;
      throw new LogFileError("closed", message, { path: this.path, lostRecords: 1 });
    }
    const line = this.#lineOf(record);
    this.#waiting.push(line);
    this.#waitingBytes += line.byteLength;
    this.#working ??= this.#work();
    return this.#waitingBytes < MAX_WAITING_BYTES ? undefined : this.#working;
  }

  /**
   * A sink that says in each record whose it is, for a file that many attempts share. `json`: first
   * in the line stands `"ti":{"dag_id","run_id","task_id","map_index","try_number"}`, in place of a
   * field `ti` of the record's own; `text`: the task and the try in brackets.
   */
  forAttempt(attempt: LogFileAttempt): LogSink {
    const { dagId, runId, taskId, mapIndex = -1, tryNumber } = attempt;
    const ti = {
      dag_id: dagId,
      run_id: runId,
      task_id: taskId,
      map_index: mapIndex,
      try_number: tryNumber,
    };
    const mapped = mapIndex < 0 ? "" : `[${mapIndex}]`;
    const label = `[${taskId}${mapped} ${tryNumber}]`;
    return {
      write: (record) => {
        if (this.#format === "json") {
          const { ti: _other, ...own } = record;
          return this.write({ ti, ...own } as LogRecord);
        }
        const { event } = record;
        const text = typeof event === "string" ? event : JSON.stringify(event);
        return this.write({ ...record, event: `${label} ${text}` });
      },
      flush: () => this.flush(),
    };
  }

  /**
   * Settles when all records taken so far are written.
   *
   * @throws LogFileError `cannot-write` when some are lost since the last flush
   */
  async flush(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
    if (this.#lostRecords === 0) return;
    const error = this.#failure();
    this.#lostRecords = 0;
    throw error;
  }

  /** Writes what is left and closes the file; losses were told by then. Can be called again. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      while (this.#working !== undefined) await this.#working;
      await this.#handle.close().catch((cause: unknown) => this.#lose(0, cause));
    })();
    return this.#closing;
  }

  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #lineOf(record: LogRecord): Uint8Array {
    if (this.#format === "text") {
      return Buffer.from(`${formatLogRecord(record, { cwd: this.#cwd, time: "full" })}\n`);
    }
    const pieces: Buffer[] = [];
    let text = "";
    emitJson(record, (piece) => {
      text += piece;
      if (text.length < PIECE_CHARACTERS) return;
      pieces.push(Buffer.from(text));
      text = "";
    });
    const last = Buffer.from(`${text}\n`);
    return pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
  }

  /** All that waits goes in one write, which no other writer's can come between. */
  async #work(): Promise<void> {
    await Promise.resolve(); // who is writing line by line in one turn gets one write
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      const lead = this.#isInLine ? [Buffer.of(LINE_FEED)] : [];
      await this.#append(Buffer.concat([...lead, ...lines]), lead.length, lines);
    }
    this.#working = undefined;
  }

  async #append(bytes: Uint8Array, lead: number, lines: readonly Uint8Array[]): Promise<void> {
    let written = 0;
    try {
      while (written < bytes.byteLength) {
        const part = written === 0 ? bytes : bytes.subarray(written);
        written += (await this.#handle.write(part)).bytesWritten;
      }
      this.#isInLine = false;
    } catch (cause) {
      let kept = 0;
      let keptBytes = lead;
      for (const line of lines) {
        if (keptBytes + line.byteLength > written) break;
        keptBytes += line.byteLength;
        kept += 1;
      }
      if (written > keptBytes) await this.#takeBack(bytes.subarray(keptBytes, written));
      this.#lose(lines.length - kept, cause);
    }
  }

  /** The beginning of a line that did not fit goes again, unless somebody has written behind it. */
  async #takeBack(part: Uint8Array): Promise<void> {
    this.#isInLine = true; // the next line begins with a line feed
    try {
      const { size } = await this.#handle.stat();
      const length = Math.min(part.byteLength, COMPARED_BYTES);
      const end = Buffer.alloc(length);
      await this.#handle.read(end, 0, length, size - length);
      if (!end.equals(part.subarray(-length))) return;
      await this.#handle.truncate(size - part.byteLength);
      this.#isInLine = false;
    } catch {
      // a pipe, or a file that can't be read
    }
  }

  #lose(records: number, cause: unknown): void {
    const isFirst = this.#cause === undefined;
    this.#cause ??= cause;
    this.#lostRecords += records;
    this.#lostInAll += records;
    if (isFirst) this.#onError?.(this.#failure());
  }

  #failure(): LogFileError {
    const { message } = this.#cause as Error;
    return new LogFileError("cannot-write", `the log file ${this.path}: ${message}`, {
      path: this.path,
      lostRecords: this.#lostRecords,
      cause: this.#cause,
    });
  }
}
