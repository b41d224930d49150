import { Readable } from "node:stream";

/** How much of the last output is kept for an error report, in bytes. */
const TAIL_BYTES = 64 * 1024;

/** How much may pile up before the start is through, in bytes. Then the writer has to wait. */
const MAX_START_BYTES = 64 * 1024 * 1024;

/**
 * A child's stdout or stderr, read from the first byte on.
 *
 * Until {@link startBackpressure} it takes what comes (up to 64 MiB), since a runtime that fills
 * its pipe before it has connected would else never connect; after that the reader sets the pace.
 * Always ends with `end` for who reads it, also when it was cut by {@link finish}.
 */
export class OutputBuffer extends Readable {
  readonly #source: Readable;
  readonly #maxStartBytes: number;
  #isStarting = true;
  #hasEnded = false;
  #tail: Buffer[] = [];
  #tailBytes = 0;

  constructor(source: Readable, options: { readonly maxStartBytes?: number } = {}) {
    super();
    this.#source = source;
    this.#maxStartBytes = options.maxStartBytes ?? MAX_START_BYTES;
    source.on("data", (chunk: Buffer) => this.#take(chunk));
    source.once("end", () => this.finish());
    source.once("error", () => this.finish());
    source.once("close", () => this.finish());
  }

  /** The last 64 KiB that arrived before {@link startBackpressure}, read or not, as text. */
  get tail(): string {
    return Buffer.concat(this.#tail).subarray(-TAIL_BYTES).toString("utf8");
  }

  /** Whether the child's end is closed, or was cut. */
  get isFinished(): boolean {
    return this.#hasEnded;
  }

  /** From now on the writer waits when nobody reads. */
  startBackpressure(): void {
    this.#isStarting = false;
    this.#tail = [];
    if (this.readableLength >= this.readableHighWaterMark) this.#source.pause();
  }

  /** Ends the stream where it is and closes our end of the pipe; what has arrived can still be read. */
  finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#source.destroy();
    this.push(null);
  }

  /** Waits until the child's end is closed, read or not, at most so long; then {@link finish}. */
  async finishWithin(limitMs: number): Promise<void> {
    if (!this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limitMs);
        this.#source.once("close", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    this.finish();
  }

  override _read(): void {
    if (!this.#hasEnded) this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#hasEnded = true;
    this.#source.destroy();
    callback(error);
  }

  #take(chunk: Buffer): void {
    if (this.#hasEnded) return;
    if (this.#isStarting) this.#keepTail(chunk);
    const hasRoom = this.push(chunk);
    const mustWait = this.#isStarting ? this.readableLength >= this.#maxStartBytes : !hasRoom;
    if (mustWait) this.#source.pause();
  }

  #keepTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= TAIL_BYTES) {
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
    }
  }
}
