const PREFIX_BYTES = 4;

/** One frame of a link that is only listened to. */
export interface SplitFrame {
  /** Of the payload. */
  readonly length: number;
  /** Undefined where it is longer than the limit. */
  readonly payload: Uint8Array | undefined;
}

/**
 * Splits what passes on a link into frames. Unlike a decoder it never gives up: a frame that is too
 * long for it, or has no bytes, is told and the next one begins behind it.
 */
export class FrameSplitter {
  readonly #maxFrameBytes: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Undefined while the prefix is collected. */
  #length: number | undefined;

  /** @param maxFrameBytes - longer payloads are not kept */
  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** The frames that these bytes complete. They must not be changed afterwards. */
  push(chunk: Uint8Array): SplitFrame[] {
    const frames: SplitFrame[] = [];
    let at = 0;
    while (at < chunk.byteLength) {
      const wanted = (this.#length ?? PREFIX_BYTES) - this.#held;
      const end = Math.min(at + wanted, chunk.byteLength);
      const isKept = this.#length === undefined || this.#length <= this.#maxFrameBytes;
      if (isKept) this.#pieces.push(chunk.subarray(at, end));
      this.#held += end - at;
      at = end;
      if (this.#held < (this.#length ?? PREFIX_BYTES)) break;
      this.#next(frames);
    }
    return frames;
  }

  /** What is left of a frame at the end of the stream: prefix (as far as it came) and payload. */
  end(): {
    readonly length: number | undefined;
    readonly bytes: Uint8Array;
    readonly held: number;
  } {
    return { length: this.#length, bytes: this.#take(), held: this.#held };
  }

  #next(frames: SplitFrame[]): void {
    if (this.#length === undefined) {
      this.#length = Buffer.from(this.#take()).readUInt32BE();
    } else {
      this.#give(frames, this.#length);
    }
    this.#held = 0;
    if (this.#length === 0) this.#give(frames, 0);
  }

  #give(frames: SplitFrame[], length: number): void {
    const isKept = length <= this.#maxFrameBytes;
    frames.push({ length, payload: isKept ? this.#take() : undefined });
    this.#length = undefined;
  }

  #take(): Uint8Array {
    const bytes =
      this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return bytes;
  }
}
