import type { Writable } from "node:stream";

/** Frames up to this size are copied together; larger ones go out as they are. */
const JOIN_BYTES = 16_384;
/** About what one write to a socket takes at once. */
const WRITE_BYTES = 65_536;
/** So many go out although more may follow at once: the peer begins while the rest is made. */
const BEGIN_FRAMES = 16;

/**
 * Writes frames to a stream. Frames sent before the event loop goes on, in however many
 * microtasks, leave together, up to 16 in one write: on small ones that is worth a factor of three
 * and more. While the stream is full they wait here.
 */
export class FrameWriter {
  readonly #stream: Writable;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #scheduled = false;
  #blocked = false;
  #waiting: (() => void)[] = [];
  // Made once: both are needed for every frame.
  readonly #onWritten = (): void => this.#settleIfEmpty();
  readonly #onTick = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("drain", () => {
      this.#blocked = false;
      this.#flush();
    });
  }

  /** Bytes not handed to the operating system yet. */
  get queuedBytes(): number {
    return this.#queuedBytes + this.#stream.writableLength;
  }

  /** Takes a frame over: its bytes must not be changed afterwards. */
  send(frame: Uint8Array): void {
    this.#queue.push(frame);
    this.#queuedBytes += frame.byteLength;
    if (this.#blocked) return;
    const isMuch = this.#queue.length >= BEGIN_FRAMES || this.#queuedBytes >= WRITE_BYTES;
    if (isMuch) this.#flush();
    if (this.#scheduled || this.#queue.length === 0) return;
    this.#scheduled = true;
    // From a microtask, this comes when there is none left: the answers to all requests of one
    // chunk are made in a chain of them.
    process.nextTick(this.#onTick);
  }

  /** Writes all that waits, then ends the stream. */
  end(): void {
    this.#blocked = false; // the stream's own buffer may take the rest: nothing more will come
    this.#flush();
    this.#stream.end();
  }

  /** Resolves when nothing waits any more, and at once when the stream is gone. */
  drained(): Promise<void> {
    if (this.#stream.destroyed || this.queuedBytes === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#settleIfEmpty();
    });
  }

  /** The link has ended: drops what waits. */
  abandon(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#settle();
  }

  #flush(): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    while (this.#queue.length > 0 && !this.#blocked) {
      const bytes = this.#next();
      this.#queuedBytes -= bytes.byteLength;
      this.#blocked = !this.#stream.write(bytes, this.#onWritten);
    }
  }

  /** The first frame that waits, with the small ones behind it. */
  #next(): Uint8Array {
    const queue = this.#queue;
    if (queue.length === 1) return queue.pop() as Uint8Array;
    let count = 0;
    let length = 0;
    for (const frame of queue) {
      if (frame.byteLength > JOIN_BYTES || length + frame.byteLength > WRITE_BYTES) break;
      length += frame.byteLength;
      count++;
    }
    const taken = queue.splice(0, Math.max(count, 1));
    return taken.length === 1 ? (taken[0] as Uint8Array) : Buffer.concat(taken, length);
  }

  #settleIfEmpty(): void {
    if (this.queuedBytes === 0) this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
