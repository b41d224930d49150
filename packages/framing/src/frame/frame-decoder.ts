import { ByteCollector } from "../byte-collector.ts";
import { FrameError } from "../frame-error.ts";
import { MAX_PAYLOAD_BYTES, PREFIX_BYTES } from "./encode-frame.ts";

/** Limits of a {@link FrameDecoder}. */
export interface FrameDecoderOptions {
  /** The longest payload that is let in, in bytes; at most 2^32-1. */
  readonly maxFrameBytes: number;
  /** Takes payloads that are too large to be joined here; without it all are joined. */
  readonly large?: LargePayloadOptions | undefined;
}

/** How payloads that are dealt with elsewhere, by a thread say, leave a {@link FrameDecoder}. */
export interface LargePayloadOptions {
  /** From this length on, in bytes, where a payload came in several chunks. */
  readonly minBytes: number;
  /**
   * The pieces of a payload as they arrived, not joined. Comes before the payloads of the same call
   * of `push`, which follow it in the stream; what it throws leaves `push`.
   */
  readonly onPayload: (pieces: readonly Uint8Array[], payloadBytes: number) => void;
}

/**
 * Splits a stream of bytes into the payloads of its frames, for any chunking and in linear time.
 * A length prefix is only compared with the limit: memory grows with what arrives, never with
 * what is announced.
 *
 * A bad prefix ends the stream: the payloads before it are still given, `failure` is set, and
 * each later call throws it.
 */
export class FrameDecoder {
  readonly #maxFrameBytes: number;
  readonly #large: LargePayloadOptions | undefined;
  /** The bytes of an unfinished prefix, then of an unfinished payload. */
  readonly #pending: ByteCollector = new ByteCollector();
  /** Length of the payload being collected; `undefined` while its prefix is. */
  #payloadBytes: number | undefined;
  #offset = 0;
  #failure: FrameError | undefined;

  /** @throws RangeError when the limit is not an integer from 1 to 2^32-1 */
  constructor(options: FrameDecoderOptions) {
    const { maxFrameBytes } = options;
    if (
      !Number.isInteger(maxFrameBytes) ||
      maxFrameBytes < 1 ||
      maxFrameBytes > MAX_PAYLOAD_BYTES
    ) {
      throw new RangeError(
        `new FrameDecoder: maxFrameBytes ${maxFrameBytes} is not in 1 to 2^32-1`,
      );
    }
    this.#maxFrameBytes = maxFrameBytes;
    this.#large = options.large;
  }

  /** Byte of the stream at which the first frame that is not given out yet begins. */
  get offset(): number {
    return this.#offset;
  }

  /** Bytes that are held because their frame is not complete. */
  get pendingBytes(): number {
    return this.#pending.length;
  }

  /** The bad prefix that ended the stream. */
  get failure(): FrameError | undefined {
    return this.#failure;
  }

  /**
   * Takes the next bytes and gives the payloads that they complete, in order.
   *
   * @param chunk - must not be written to afterwards: payloads may be views of it
   * @throws FrameError the `failure` of an earlier call
   */
  push(chunk: Uint8Array): Uint8Array[] {
    if (this.#failure !== undefined) throw this.#failure;
    const payloads: Uint8Array[] = [];
    let position = 0;
    while (position < chunk.byteLength) {
      const wanted = (this.#payloadBytes ?? PREFIX_BYTES) - this.#pending.length;
      const end = position + wanted;
      if (end > chunk.byteLength) {
        this.#pending.append(chunk.subarray(position));
        break;
      }
      if (this.#payloadBytes === undefined) {
        this.#payloadBytes = this.#readPrefix(chunk, position, end);
        if (this.#payloadBytes === undefined) break;
      } else {
        const payload = this.#complete(chunk.subarray(position, end));
        if (payload !== undefined) payloads.push(payload);
      }
      position = end;
    }
    return payloads;
  }

  /**
   * Tells that the stream has ended.
   *
   * @throws FrameError `truncated` inside a prefix or a payload, or the `failure` of an earlier call
   */
  end(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const held = this.#pending.length;
    if (this.#payloadBytes === undefined && held === 0) return;
    const where =
      this.#payloadBytes === undefined
        ? `after ${held} of the ${PREFIX_BYTES} bytes of a length prefix`
        : `after ${held} of the ${this.#payloadBytes} bytes of a payload`;
    throw this.#fail("truncated", `the stream ended ${where}`);
  }

  #readPrefix(chunk: Uint8Array, position: number, end: number): number | undefined {
    let prefix = chunk;
    let start = position;
    if (this.#pending.length > 0) {
      this.#pending.append(chunk.subarray(position, end));
      prefix = this.#pending.take();
      start = 0;
    }
    const length =
      (prefix[start] as number) * 0x100_0000 +
      (prefix[start + 1] as number) * 0x1_0000 +
      (prefix[start + 2] as number) * 0x100 +
      (prefix[start + 3] as number);
    if (length === 0) {
      this.#fail("empty-frame", "a frame announces 0 bytes; expected at least one");
      return undefined;
    }
    if (length > this.#maxFrameBytes) {
      const limit = `the limit is ${this.#maxFrameBytes} (maxFrameBytes)`;
      this.#fail("too-large", `a frame announces ${length} bytes; ${limit}`);
      return undefined;
    }
    return length;
  }

  /** Gives the payload, or undefined when it went elsewhere because it is large. */
  #complete(last: Uint8Array): Uint8Array | undefined {
    const length = this.#payloadBytes as number;
    this.#offset += PREFIX_BYTES + length;
    this.#payloadBytes = undefined;
    if (this.#pending.length === 0) return last;
    this.#pending.append(last);
    // It began in an earlier chunk, so no other payload of this one came before it.
    if (this.#large === undefined || length < this.#large.minBytes) return this.#pending.take();
    this.#large.onPayload(this.#pending.takePieces(), length);
    return undefined;
  }

  #fail(code: "truncated" | "too-large" | "empty-frame", message: string): FrameError {
    const at = `the frame at byte ${this.#offset} of the stream`;
    this.#failure = new FrameError(code, `${at}: ${message}`, { streamOffset: this.#offset });
    return this.#failure;
  }
}
