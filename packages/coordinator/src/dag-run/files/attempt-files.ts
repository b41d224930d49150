import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LogRecord, LogSink } from "../../logs/log-record.ts";
import { SUPERVISOR_LOGGER } from "../../logs/log-record.ts";
import type { ObservedFrame } from "../../redact/frame-observer.ts";
import { toExactJson } from "../../store/exact-json.ts";
import type { StoredFrame } from "../history/history-types.ts";
import { BoundedLines } from "./bounded-lines.ts";

const LOG_LIMITS = { file: 64 * 1024 * 1024, line: 1024 * 1024 };
const FRAME_LIMITS = { file: 16 * 1024 * 1024, line: 256 * 1024 };

/** Characters of a message that stand for one that is too long. */
const SHOWN_CHARACTERS = 10_000;

/** The folder of a store's attempts. */
export function attemptsFolder(storeFile: string): string {
  return `${storeFile}.attempts`;
}

/** Makes the folder for its owner alone. */
export async function makeAttemptsFolder(storeFile: string): Promise<string> {
  const folder = attemptsFolder(storeFile);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Where the log of an attempt is, one record a line. */
export function logPath(folder: string, attemptId: number): string {
  return join(folder, `${attemptId}.log.ndjson`);
}

/** Where its frames are. */
export function framesPath(folder: string, attemptId: number): string {
  return join(folder, `${attemptId}.frames.ndjson`);
}

/** The files of one attempt: its log and what crossed its link, secrets replaced in both. */
export class AttemptFiles {
  readonly #log: BoundedLines;
  readonly #frames: BoundedLines | undefined;
  readonly #now: () => Date;
  #frameCount = 0;

  constructor(
    folder: string,
    attemptId: number,
    options: { readonly keepFrames: boolean; readonly now: () => Date },
  ) {
    this.#now = options.now;
    this.#log = new BoundedLines(logPath(folder, attemptId), LOG_LIMITS);
    if (options.keepFrames) {
      this.#frames = new BoundedLines(framesPath(folder, attemptId), FRAME_LIMITS);
    }
  }

  get hasLog(): boolean {
    return !this.#log.isEmpty;
  }

  get hasFrames(): boolean {
    return this.#frames !== undefined && !this.#frames.isEmpty;
  }

  /** For the coordinator; what it gets is masked. */
  readonly sink: LogSink = {
    write: (record) => {
      const line = JSON.stringify(record);
      this.#log.add(this.#log.isTooLong(line) ? JSON.stringify(shortened(record)) : line);
      return this.#log.isBehind ? this.#log.flush() : undefined;
    },
    flush: () => this.#log.flush(),
  };

  /** A frame, its secrets replaced. */
  readonly onFrame = (frame: ObservedFrame): void => {
    if (this.#frames === undefined) return;
    const { direction, id, body, third, redacted } = frame;
    this.#frameCount += 1;
    const head = { number: this.#frameCount, at: this.#now().toISOString(), direction };
    const stored: StoredFrame = {
      ...{ ...head, id: toExactJson(id), type: typeOf(body) ?? typeOf(third) },
      ...{ body: toExactJson(body), third: toExactJson(third), redacted, isCut: false },
    };
    const line = JSON.stringify(stored);
    const isCut = this.#frames.isTooLong(line);
    this.#frames.add(isCut ? JSON.stringify({ ...stored, body: null, third: null, isCut }) : line);
  };

  /** Writes what is left, and what had no room. */
  async close(): Promise<void> {
    const { lost } = this.#log;
    const event = `the log is full: ${lost} more record(s) are not kept`;
    const record = {
      timestamp: this.#now().toISOString(),
      ...{ level: "warning", logger: SUPERVISOR_LOGGER, event },
    };
    const lostFrames = this.#frames?.lost ?? 0;
    await Promise.all([
      this.#log.close(lost > 0 ? JSON.stringify(record) : undefined),
      this.#frames?.close(lostFrames > 0 ? JSON.stringify(this.#noRoom(lostFrames)) : undefined),
    ]);
  }

  #noRoom(lost: number): StoredFrame {
    const at = this.#now().toISOString();
    const head = {
      number: this.#frameCount,
      at,
      direction: "to-task" as const,
      id: null,
      type: null,
    };
    return { ...head, body: null, third: null, redacted: [], isCut: true, lost };
  }
}

/** Removes the files of an attempt, where there are any. */
export async function removeAttemptFiles(folder: string, attemptId: number): Promise<void> {
  await rm(logPath(folder, attemptId), { force: true });
  await rm(framesPath(folder, attemptId), { force: true });
}

function shortened(record: LogRecord): LogRecord {
  const { timestamp, level, logger, event } = record;
  const text = typeof event === "string" ? event : (JSON.stringify(event) ?? "");
  return {
    timestamp,
    level,
    logger,
    event: `${text.slice(0, SHOWN_CHARACTERS)} … [cut]`,
    cut: true,
  };
}

function typeOf(body: unknown): string | null {
  const type = (body as { readonly type?: unknown } | null)?.type;
  return typeof type === "string" ? type.slice(0, 100) : null;
}
