import { writeSync } from "node:fs";
import type { Socket } from "node:net";

/** Lines joined into one write; small enough that a crash right after loses little. */
const BATCH_CHARACTERS = 64 * 1024;

/** Limits of a {@link LogChannel}, and its ways out. */
export interface LogChannelOptions {
  /** Text that may wait for a slow or missing peer, in characters. */
  readonly maxBufferedCharacters: number;
  /** Where lines go when there is no peer; the callback runs when they are written. */
  readonly writeToStderr: (text: string, written: () => void) => void;
  /** The line that tells how many records were dropped. */
  readonly droppedLine: (count: number) => string;
}

/**
 * The way of finished log lines to the supervisor: in order, from the first one on.
 *
 * Lines wait until {@link attach}ed socket is connected. When it never connects, or breaks, they
 * and all later ones go to stderr, after one notice there. A peer that stops reading makes lines
 * wait in memory; past `maxBufferedCharacters` new ones are dropped, and a record with their number
 * follows as soon as there is room. Never throws.
 */
export class LogChannel {
  readonly #options: LogChannelOptions;
  #target: Socket | "none" | "stderr" = "none";
  #connected = false;
  #lines: string[] = [];
  #next = 0; // index of the first line in #lines that was not handed over
  #waiting = 0; // characters in #lines from #next on
  #inFlight: string[][] = []; // batches whose write callback has not run, oldest first
  #accepted = 0; // lines ever accepted
  #settled = 0; // lines ever written, to the socket or to stderr
  #dropped = 0;
  #scheduled = false;
  #flushes: { upTo: number; resolve: () => void }[] = [];

  constructor(options: LogChannelOptions) {
    this.#options = options;
  }

  /** Lines that have been written so far; grows while a slow peer reads. */
  get settled(): number {
    return this.#settled;
  }

  /** Takes one line with its line end. */
  write(line: string): void {
    if (this.#waiting + line.length > this.#options.maxBufferedCharacters) {
      this.#dropped += 1;
      return;
    }
    this.#push(line);
  }

  /** Sends to this socket once it is connected. Must be called in the tick that made the socket. */
  attach(socket: Socket): void {
    this.#target = socket;
    socket.once("connect", () => {
      this.#connected = true;
      this.#pump();
    });
    socket.on("drain", () => this.#pump());
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
    if (this.#settled >= this.#accepted) return Promise.resolve();
    return new Promise((resolve) => this.#flushes.push({ upTo: this.#accepted, resolve }));
  }

  /** For the end of the process: what was never handed over goes to stderr, at once. */
  dumpSync(): void {
    // A socket that still holds bytes may or may not have sent them: twice is better than never.
    const socket = typeof this.#target === "object" ? this.#target : undefined;
    const unsure = socket !== undefined && socket.writableLength > 0 ? this.#inFlight.flat() : [];
    const text = [...unsure, ...this.#lines.slice(this.#next)].join("");
    this.#lines = [];
    this.#next = 0;
    this.#waiting = 0;
    if (text !== "") writeStderrSync(`parlance: records that were not sent:\n${text}`);
  }

  #push(line: string): void {
    this.#lines.push(line);
    this.#waiting += line.length;
    this.#accepted += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#next < this.#lines.length) {
      if (this.#target === "stderr") this.#send((text, done) => this.#toStderr(text, done));
      else if (this.#target === "none" || !this.#connected || this.#target.writableNeedDrain) break;
      else this.#send((text, done) => this.#toSocket(text, done));
    }
    this.#tellDropped();
  }

  #toStderr(text: string, done: () => void): void {
    this.#options.writeToStderr(text, done);
  }

  #toSocket(text: string, done: () => void): void {
    (this.#target as Socket).write(text, (error) => {
      if (error === undefined || error === null) done(); // else "close" follows and resends the batch
    });
  }

  #send(write: (text: string, done: () => void) => void): void {
    const batch: string[] = [];
    for (let size = 0; this.#next < this.#lines.length && size < BATCH_CHARACTERS; ) {
      const line = this.#lines[this.#next++] ?? "";
      batch.push(line);
      size += line.length;
      this.#waiting -= line.length;
    }
    if (this.#next === this.#lines.length || this.#next > 10_000) {
      this.#lines = this.#lines.slice(this.#next);
      this.#next = 0;
    }
    this.#inFlight.push(batch);
    write(batch.join(""), () => this.#written(batch));
  }

  #written(batch: string[]): void {
    const index = this.#inFlight.indexOf(batch);
    if (index < 0) return; // sent again to stderr meanwhile
    this.#inFlight.splice(index, 1);
    this.#settled += batch.length;
    this.#flushes = this.#flushes.filter(({ upTo, resolve }) => {
      if (upTo > this.#settled) return true;
      resolve();
      return false;
    });
  }

  #giveUp(notice: string): void {
    if (this.#target === "stderr") return;
    this.#target = "stderr";
    // A batch without a confirmation may or may not have been read: twice is better than never.
    this.#lines = [...this.#inFlight.flat(), ...this.#lines.slice(this.#next)];
    this.#inFlight = [];
    this.#next = 0;
    this.#waiting = this.#lines.reduce((sum, line) => sum + line.length, 0);
    if (notice !== "") this.#options.writeToStderr(notice, () => {});
    this.#pump();
  }

  #tellDropped(): void {
    if (this.#dropped === 0 || this.#waiting > this.#options.maxBufferedCharacters / 2) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.#push(this.#options.droppedLine(count));
  }
}

function writeStderrSync(text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0, tries = 0; offset < bytes.length && tries < 1000; ) {
    try {
      offset += writeSync(2, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return; // nobody is left to tell
      tries += 1;
    }
  }
}
