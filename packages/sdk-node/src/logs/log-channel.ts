import type { Socket } from "node:net";
import { monotonicMs } from "@parlance/framing";
import { type LineBatch, LineQueue } from "./line-queue.ts";
import { writeStderrSync } from "./write-stderr-sync.ts";

/** Handed to a socket or to stderr at a time; more waits here, where it is counted. */
const MAX_IN_FLIGHT_BYTES = 1024 * 1024;
/** As little as this may wait for who asks whether there is room. */
const ROOMY_BYTES = 1024 * 1024;
/** So long a task may go on without letting anything else happen, when it asks now and then. */
const MAX_TURN_MS = 10;

/** Limits of a {@link LogChannel}, and its ways out. */
export interface LogChannelOptions {
  /** What may wait for a slow or missing peer, in bytes. */
  readonly maxBufferedBytes: number;
  /** What of it is kept for important lines, in bytes. */
  readonly reservedBytes: number;
  /** Where lines go when there is no peer; the callback runs when they are written. */
  readonly writeToStderr: (bytes: Uint8Array, written: () => void) => void;
  /** The line that tells what was dropped. */
  readonly droppedLine: (dropped: DroppedLines) => string;
}

/** Lines that there was no room for. */
export interface DroppedLines {
  readonly count: number;
  /** When the first and the last of them were written. */
  readonly from: Date;
  readonly to: Date;
}

/**
 * The way of finished log lines to the supervisor: in order, from the first one on.
 *
 * Lines wait until the {@link attach}ed socket is connected. When it never connects, or breaks,
 * they and all later ones go to stderr, after one notice there. A peer that stops reading makes
 * lines wait in memory; past `maxBufferedBytes` new ones are dropped until half of it is free, and
 * one line then tells how many. A program that never lets the event loop run is no different: what
 * the system does not take at once waits. Never throws.
 */
export class LogChannel {
  readonly #options: LogChannelOptions;
  #target: Socket | "none" | "stderr" = "none";
  #connected = false;
  readonly #queue: LineQueue = new LineQueue();
  readonly #inFlight = new Set<LineBatch>(); // handed over, and not confirmed; oldest first
  #inFlightBytes = 0;
  #accepted = 0; // lines ever accepted
  #settled = 0; // lines ever written, to the socket or to stderr
  #dropped: { count: number; from: Date; to: Date } | undefined;
  #scheduled = false;
  #hasEnded = false;
  #hasDumped = false;
  #turnStartedAt = 0;
  #waiters: { readonly isDone: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: LogChannelOptions) {
    this.#options = options;
  }

  /** Lines that have been written so far; grows while a slow peer reads. */
  get settled(): number {
    return this.#settled;
  }

  /** Whether lines are dropped at present; the one that was to be written is counted. */
  drops(isImportant: boolean): boolean {
    const isDropping = this.#dropped !== undefined && !isImportant;
    if (isDropping) this.#drop();
    return isDropping;
  }

  /** Takes one line with its line end. @param isImportant - may use what is reserved */
  write(line: string, isImportant: boolean = false): void {
    const { maxBufferedBytes, reservedBytes } = this.#options;
    const limit = isImportant ? maxBufferedBytes : maxBufferedBytes - reservedBytes;
    if (this.#hasEnded) {
      this.#queue.add(line);
      this.#sendAtOnce();
      return;
    }
    if (this.drops(isImportant)) return;
    if (this.#size + line.length > limit) this.#drop();
    else this.#push(line);
  }

  /** Sends to this socket once it is connected. Must be called in the tick that made the socket. */
  attach(socket: Socket): void {
    this.#target = socket;
    socket.once("connect", () => {
      this.#connected = true;
      this.#pump();
    });
    let cause = "the supervisor closed it";
    socket.on("error", (error) => {
      cause = error.message;
    });
    socket.once("close", () => {
      const what = this.#connected ? "was lost" : "could not be opened";
      this.#giveUp(`parlance: the log connection ${what} (${cause}); records follow here\n`);
    });
    socket.resume(); // nothing is ever sent to us here; an unread byte would turn our close into a reset
  }

  /** From now on lines go to stderr, without a notice: there is no supervisor. */
  useStderr(): void {
    this.#giveUp("");
  }

  /** Resolves when every line accepted so far has been written; never rejects, may take forever. */
  flush(): Promise<void> {
    this.#pump();
    const upTo = this.#accepted;
    return this.#when(() => this.#settled >= upTo);
  }

  /**
   * Resolves when there is room for many more lines, and the event loop has had a turn in the last
   * 10 ms; at once, as a rule. Never rejects, may take forever.
   */
  async drained(): Promise<void> {
    this.#pump();
    await this.#when(() => this.#size <= ROOMY_BYTES);
    if (monotonicMs() - this.#turnStartedAt < MAX_TURN_MS) return;
    await new Promise(setImmediate);
    this.#turnStartedAt = monotonicMs();
  }

  /**
   * For the end of the process, when nothing can be waited for: each line goes out at once from now
   * on, to the socket if the system takes it, else to stderr.
   */
  end(): void {
    this.#hasEnded = true;
    this.#sendAtOnce();
  }

  #sendAtOnce(): void {
    if (this.#dropped !== undefined) {
      this.#queue.add(this.#options.droppedLine(this.#dropped));
      this.#dropped = undefined;
    }
    if (typeof this.#target === "object") this.#pump();
    // A socket that still holds bytes may or may not send them: twice is better than never.
    const isSure = typeof this.#target === "object" && this.#target.writableLength === 0;
    const rest: Buffer[] = isSure ? [] : [...this.#inFlight].map(({ bytes }) => bytes);
    for (let batch = this.#queue.take(); batch !== undefined; batch = this.#queue.take()) {
      rest.push(batch.bytes);
    }
    this.#inFlight.clear();
    this.#inFlightBytes = 0;
    if (rest.length === 0) return;
    if (!this.#hasDumped) {
      writeStderrSync(Buffer.from("parlance: records that were not sent:\n"));
      this.#hasDumped = true;
    }
    for (const bytes of rest) writeStderrSync(bytes);
  }

  /** All that is in memory, in bytes. */
  get #size(): number {
    return this.#queue.size + this.#inFlightBytes;
  }

  #drop(): void {
    const now = new Date();
    if (this.#dropped === undefined) this.#dropped = { count: 1, from: now, to: now };
    else {
      this.#dropped.count += 1;
      this.#dropped.to = now;
    }
  }

  #push(line: string): void {
    this.#accepted += 1;
    if (this.#queue.add(line)) this.#pump(); // also in a loop that never gives way
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (!this.#queue.isEmpty && this.#inFlightBytes < MAX_IN_FLIGHT_BYTES) {
      if (this.#target === "none" || (this.#target !== "stderr" && !this.#connected)) break;
      const batch = this.#queue.take();
      if (batch !== undefined) this.#send(batch, this.#target);
    }
    this.#tellDropped();
  }

  #send(batch: LineBatch, target: Socket | "stderr"): void {
    this.#inFlight.add(batch);
    this.#inFlightBytes += batch.bytes.length;
    if (target === "stderr") {
      this.#options.writeToStderr(batch.bytes, () => this.#written(batch));
      return;
    }
    target.write(batch.bytes, (error) => {
      // After an error "close" follows, and the batch goes to stderr.
      if (error === undefined || error === null) this.#written(batch);
    });
    // What the system took at once need not wait for its callback, which comes when the task pauses.
    if (target.writableLength === 0 && target.errored === null) this.#settle(batch);
  }

  #written(batch: LineBatch): void {
    this.#settle(batch);
    this.#pump();
    this.#tellWaiters();
  }

  #settle(batch: LineBatch): void {
    if (!this.#inFlight.delete(batch)) return; // told before, or sent again to stderr meanwhile
    this.#inFlightBytes -= batch.bytes.length;
    batch.bytes = NOTHING;
    this.#settled += batch.lines;
  }

  #when(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ isDone, resolve }));
  }

  #tellWaiters(): void {
    if (this.#waiters.length === 0) return;
    this.#waiters = this.#waiters.filter(({ isDone, resolve }) => {
      if (!isDone()) return true;
      resolve();
      return false;
    });
  }

  #giveUp(notice: string): void {
    if (this.#target === "stderr") return;
    this.#target = "stderr";
    // A batch without a confirmation may or may not have been read: twice is better than never.
    this.#queue.putBack([...this.#inFlight]);
    this.#inFlight.clear();
    this.#inFlightBytes = 0;
    if (notice !== "") this.#options.writeToStderr(Buffer.from(notice), () => {});
    this.#pump();
  }

  #tellDropped(): void {
    const dropped = this.#dropped;
    if (dropped === undefined || this.#size > this.#options.maxBufferedBytes / 2) return;
    this.#dropped = undefined;
    this.#push(this.#options.droppedLine(dropped));
  }
}

const NOTHING = Buffer.alloc(0);
