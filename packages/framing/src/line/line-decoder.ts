import { asBuffer } from "../as-buffer.ts";
import { ByteCollector } from "../byte-collector.ts";

const LINE_FEED = 0x0a;

/** One line, without its line feed; a carriage return before it stays. */
export interface Line {
  /** May be a view of the chunk it came in. Text is decoded from the whole line, never from parts. */
  readonly bytes: Uint8Array;
  /** The line was longer than the limit: these are its first `maxLineBytes` bytes, the rest is gone. */
  readonly truncated: boolean;
}

/** Limits of a {@link LineDecoder}. */
export interface LineDecoderOptions {
  /** The longest line kept whole, in bytes without the line feed. */
  readonly maxLineBytes: number;
}

/**
 * Splits a stream of bytes into lines (NDJSON), for any chunking and in linear time. It works on
 * bytes, so a character cut by a read border stays whole.
 */
export class LineDecoder {
  readonly #maxLineBytes: number;
  readonly #pending: ByteCollector = new ByteCollector();
  /** The limit was passed and the line given out: bytes are dropped up to the next line feed. */
  #skipping = false;

  /** @throws RangeError when the limit is not an integer of at least 1 */
  constructor(options: LineDecoderOptions) {
    const { maxLineBytes } = options;
    if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes < 1) {
      throw new RangeError(
        `new LineDecoder: maxLineBytes ${maxLineBytes} is not an integer from 1`,
      );
    }
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * Takes the next bytes and gives the lines that they complete, empty ones too. A line over the
   * limit is given as soon as it passes it, cut, and once.
   *
   * @param chunk - must not be written to afterwards: lines may be views of it
   */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    const bytes = asBuffer(chunk); // its indexOf is memchr
    let position = 0;
    while (position < chunk.byteLength) {
      const found = bytes.indexOf(LINE_FEED, position);
      const end = found === -1 ? chunk.byteLength : found;
      if (!this.#skipping) this.#take(chunk, position, end, found !== -1, lines);
      if (found === -1) break;
      this.#skipping = false;
      position = found + 1;
    }
    return lines;
  }

  /** Tells that the stream has ended: gives what stands after the last line feed, if anything. */
  end(): Line[] {
    this.#skipping = false;
    if (this.#pending.length === 0) return [];
    return [{ bytes: this.#pending.take(), truncated: false }];
  }

  #take(chunk: Uint8Array, start: number, end: number, complete: boolean, lines: Line[]): void {
    const room = this.#maxLineBytes - this.#pending.length;
    const truncated = end - start > room;
    const part = chunk.subarray(start, truncated ? start + room : end);
    if (!complete && !truncated) {
      this.#pending.append(part);
      return;
    }
    lines.push({ bytes: this.#join(part), truncated });
    this.#skipping = truncated;
  }

  #join(last: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return last;
    if (last.byteLength > 0) this.#pending.append(last);
    return this.#pending.take();
  }
}
