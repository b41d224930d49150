import type { Duplex } from "node:stream";
import type { LargePayloadOptions } from "../frame/frame-decoder.ts";
import type { RequestFrame } from "../frame/frame-types.ts";
import { decodeRequestFrame } from "../frame/request-frame.ts";
import { encodeResponseFrame, type ResponseFrameInput } from "../frame/response-frame.ts";
import type { FrameError } from "../frame-error.ts";
import { KeyCache } from "../msgpack/key-cache.ts";
import type { DecodeOptions } from "../msgpack/limits.ts";
import { FrameLink } from "./frame-link.ts";

/** What a {@link SupervisorChannel} tells its owner, and its limit. */
export interface SupervisorChannelOptions {
  /** The longest payload let in, in bytes. @default 1 GiB */
  readonly maxFrameBytes?: number | undefined;
  /** How payloads are decoded; `wrapFloats` keeps the type of values that are only passed on. */
  readonly decode?: DecodeOptions | undefined;
  /**
   * Each frame, in order, with the length of its payload. What it throws ends the channel and
   * reaches `onEnd`.
   */
  readonly onFrame: (frame: RequestFrame, payloadBytes: number) => void;
  /**
   * Takes large payloads as they arrived, in order with `onFrame`, for who decodes them elsewhere (by
   * `decodeRequestFrame` of the joined pieces): a value of 256 MB takes a second or more, in which
   * nothing else happens here. Without it they are frames as all others.
   */
  readonly large?: LargePayloadOptions | undefined;
  /**
   * Once, last. `undefined`: the peer ended on a frame border, or {@link SupervisorChannel.close}
   * was called. A FrameError: a frame was bad or cut off. Else the socket's error, or what
   * `onFrame` threw.
   */
  readonly onEnd: (error: FrameError | Error | undefined) => void;
}

/**
 * The supervisor's end of the comm link: frames in, answers out. Answers sent before the event
 * loop goes on, in however many microtasks, leave together, up to 16 in a write. While more than
 * 16 MiB wait for a peer that does not read, no more of its requests are read; who makes large
 * answers also looks at {@link SupervisorChannel.queuedBytes}, because one read brings many
 * requests. The channel owns the socket; no error of it is ever uncaught.
 */
export class SupervisorChannel {
  readonly #link: FrameLink;

  constructor(socket: Duplex, options: SupervisorChannelOptions) {
    const decode: DecodeOptions = { keys: new KeyCache(), ...options.decode };
    this.#link = new FrameLink(socket, {
      maxFrameBytes: options.maxFrameBytes,
      onPayload: (payload) =>
        options.onFrame(decodeRequestFrame(payload, decode), payload.byteLength),
      large: options.large,
      onEnd: options.onEnd,
    });
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  /** Bytes that were sent and are not with the operating system yet. */
  get queuedBytes(): number {
    return this.#link.queuedBytes;
  }

  /** Settles when all that was sent is with the operating system, or the link has ended. */
  get drained(): Promise<void> {
    return this.#link.drained();
  }

  /**
   * Sends a frame: the first message, or an answer. Ignored when the link has ended, because an
   * answer may be ready after its task has died.
   *
   * @throws FrameError `cannot-encode`; nothing was sent
   */
  send(frame: ResponseFrameInput): void {
    if (this.#link.isOpen) this.#link.send(encodeResponseFrame(frame));
  }

  /**
   * Sends the bytes of a whole frame, encoded elsewhere (by `encodeResponseFrame`). Ignored when the
   * link has ended.
   */
  sendEncoded(frame: Uint8Array): void {
    this.#link.send(frame);
  }

  /** Ends the link at once with an error: a large payload turned out to be no frame. */
  fail(error: FrameError): void {
    this.#link.fail(error);
  }

  /** Ends the link after all that was sent has gone out. Safe to call twice. */
  close(): void {
    this.#link.close();
  }
}
