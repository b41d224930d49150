import type { Writable } from "node:stream";

/** What may wait for a reader that is slow or never reads, in bytes. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** @see Progress */
export interface ProgressOptions {
  /**
   * What is printed is all there is: the task's records wait for the reader. Otherwise everything
   * is kept for stdout anyway, and what nobody reads in time is left out here.
   */
  readonly mayWait: boolean;
}

/** Prints progress on stderr without ever taking much memory or holding up an interrupted run. */
export class Progress {
  readonly #stream: NodeJS.WritableStream;
  readonly #signal: AbortSignal;
  readonly #mayWait: boolean;
  #leftOut = 0;

  /** @param signal - once it is aborted nothing waits any more */
  constructor(stream: NodeJS.WritableStream, signal: AbortSignal, options: ProgressOptions) {
    this.#stream = stream;
    this.#signal = signal;
    this.#mayWait = options.mayWait;
  }

  /** Prints a line. Settles when there is room for the next one. */
  print(line: string): void | Promise<void> {
    if ((this.#stream as Writable).writableLength > MAX_WAITING_BYTES && !this.#waits) {
      this.#leftOut += 1;
      return undefined;
    }
    const gap = this.#leftOut > 0 ? `(${this.#leftOut} lines are not shown)\n` : "";
    this.#leftOut = 0;
    const hasRoom = this.#stream.write(`${gap}${line}\n`);
    return hasRoom || !this.#waits ? undefined : this.#written();
  }

  get #waits(): boolean {
    return this.#mayWait && !this.#signal.aborted;
  }

  /** An empty write is done when all before it is, or has failed. */
  async #written(): Promise<void> {
    const signal = this.#signal;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      signal.addEventListener("abort", done);
      this.#stream.write("", done);
    });
  }
}
