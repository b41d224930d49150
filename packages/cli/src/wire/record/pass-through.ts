import type { Readable, Writable } from "node:stream";

/**
 * How long an end of the task's stream waits for the task's own end before it is passed on, in
 * milliseconds. A supervisor that sees all connections end a moment before the process does takes
 * longer to notice that one (stock Airflow: up to 5 s).
 */
export const END_DELAY_MS = 50;

/** @see PassThrough */
export interface PassThroughOptions {
  /** Sees each piece after it was passed on; must not change it. */
  readonly onData: (chunk: Uint8Array) => void;
  readonly onEnd: () => void;
  /** Whatever else has to be waited for before the next piece is read; undefined for nothing. */
  readonly room: () => Promise<void> | undefined;
  /** Ends `to` when `from` has ended, so long afterwards; undefined leaves it open. */
  readonly endAfterMs?: number;
}

/** One direction of one stream. */
export class PassThrough {
  /** Settles when `from` has ended and all of it has been handed to the system, or `to` is gone. */
  readonly done: Promise<void>;
  readonly #from: Readable;
  readonly #to: Writable;
  readonly #options: PassThroughOptions;
  #settle: () => void = () => {};
  #isOver = false;
  #isSettled = false;
  /** A process's own stdout is never destroyed. */
  #isGone = false;
  #isWaiting = false;
  #movedAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Passes bytes on as they come, unchanged. A writer is as slow as its reader. The other direction of
   * a socket is not touched: each half is closed on its own.
   */
  constructor(from: Readable, to: Writable, options: PassThroughOptions) {
    this.#from = from;
    this.#to = to;
    this.#options = options;
    this.done = new Promise((resolve) => {
      this.#settle = () => {
        this.#isSettled = true;
        resolve();
      };
    });
    from.on("data", (chunk: Uint8Array) => this.#pass(chunk));
    from.on("end", () => this.#end());
    from.on("close", () => this.#end());
    to.on("close", () => this.#lose());
    to.on("error", () => this.#lose());
  }

  /** Whether nothing has come for so long, though it would have been read. */
  isIdle(forMs: number): boolean {
    if (this.#isSettled) return true;
    return !(this.#isOver || this.#isWaiting) && performance.now() - this.#movedAtMs > forMs;
  }

  #pass(chunk: Uint8Array): void {
    this.#movedAtMs = performance.now();
    const isDrained = this.#isGone || this.#to.write(chunk);
    this.#options.onData(chunk);
    const room = this.#options.room();
    if (isDrained && room === undefined) return;
    this.#isWaiting = true;
    this.#from.pause();
    void Promise.all([room, isDrained ? undefined : drained(this.#to)]).then(() => {
      this.#isWaiting = false;
      this.#movedAtMs = performance.now();
      this.#from.resume();
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onEnd();
    if (this.#isGone) this.#settle();
    else this.#to.write("", () => this.#settle()); // done when all before it is, or has failed
    if (this.#options.endAfterMs === undefined) return;
    this.#timer = setTimeout(() => this.#to.end(), this.#options.endAfterMs);
    this.#timer.unref();
  }

  #lose(): void {
    this.#isGone = true;
    clearTimeout(this.#timer);
    this.#settle();
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done).off("error", done);
      resolve();
    };
    stream.on("drain", done).on("close", done).on("error", done);
  });
}
