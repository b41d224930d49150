import { asBuffer } from "./as-buffer.ts";

/** Chunks below this are copied together: a list of one-byte buffers costs a hundred bytes each. */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 65_536;

/**
 * Bytes that arrive in pieces and are joined once: linear in time for any pieces, and never much
 * larger than what has arrived.
 *
 * Large pieces are kept by reference, so whoever appends one must not write to it afterwards.
 * Sockets and file streams never do.
 */
export class ByteCollector {
  #parts: Uint8Array[] = [];
  /** The part being filled with small pieces, with room at its end. */
  #block: Uint8Array | undefined;
  #blockLength = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Uint8Array): void {
    this.#length += bytes.byteLength;
    if (bytes.byteLength >= SMALL_BYTES) {
      this.#closeBlock();
      this.#parts.push(bytes);
      return;
    }
    let block = this.#block;
    if (block === undefined || this.#blockLength + bytes.byteLength > block.byteLength) {
      this.#closeBlock();
      // Grows with what has arrived, so that one short piece does not cost a whole block.
      const size = Math.min(BLOCK_BYTES, Math.max(256, bytes.byteLength, this.#length));
      block = this.#block = new Uint8Array(size);
    }
    block.set(bytes, this.#blockLength);
    this.#blockLength += bytes.byteLength;
  }

  /** Gives all bytes as they were kept, without copying them, and is empty again. */
  takePieces(): Uint8Array[] {
    this.#closeBlock();
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    return parts;
  }

  /** Gives all bytes as one buffer and is empty again. */
  take(): Buffer {
    const length = this.#length;
    const parts = this.takePieces();
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) {
      return asBuffer(only);
    }
    return Buffer.concat(parts, length);
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    this.#parts.push(this.#block.subarray(0, this.#blockLength));
    this.#block = undefined;
    this.#blockLength = 0;
  }
}
