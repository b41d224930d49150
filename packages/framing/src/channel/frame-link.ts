import type { Duplex } from "node:stream";
import { FrameDecoder, type LargePayloadOptions } from "../frame/frame-decoder.ts";
import { FrameWriter } from "./frame-writer.ts";

/** One GiB: the limit of a frame that is let in, unless an option says otherwise. */
const DEFAULT_MAX_FRAME_BYTES = 2 ** 30;

/** How long a closed link waits for the peer to close too, before it cuts. */
const CLOSE_GRACE_MS = 1000;

/** While more waits to be written, nothing more is read: a peer that only asks costs no memory. */
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;

/** What a {@link FrameLink} tells its owner. */
export interface FrameLinkOptions {
  readonly maxFrameBytes?: number | undefined;
  /** A complete payload. What it throws ends the link. */
  readonly onPayload: (payload: Uint8Array) => void;
  /** Takes large payloads instead. What its function throws ends the link as well. */
  readonly large?: LargePayloadOptions | undefined;
  /** Once, last: `undefined` for an end on a frame border or by `close()`, else what went wrong. */
  readonly onEnd: (error: Error | undefined) => void;
}

/**
 * One end of a socket that carries frames: what both channels share. From here on it owns the
 * socket and hears its errors, so none of them is ever uncaught.
 */
export class FrameLink {
  readonly #socket: Duplex;
  readonly #writer: FrameWriter;
  readonly #decoder: FrameDecoder;
  readonly #options: FrameLinkOptions;
  #state: "open" | "closing" | "ended" = "open";

  constructor(socket: Duplex, options: FrameLinkOptions) {
    this.#socket = socket;
    this.#options = options;
    const maxFrameBytes = options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES;
    this.#decoder = new FrameDecoder({ maxFrameBytes, large: options.large });
    this.#writer = new FrameWriter(socket);
    // Never taken off again: a reset may still be reported after the link was given up.
    socket.on("error", (error) => this.#finish(error));
    socket.on("close", () => this.#endOfStream());
    socket.on("end", () => this.#endOfStream());
    socket.on("data", (chunk: Uint8Array) => this.#receive(chunk));
    if (socket.destroyed) queueMicrotask(() => this.#endOfStream());
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Bytes that were sent and are not with the operating system yet. */
  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  /** Resolves when all that was sent is with the operating system, or the link has ended. */
  drained(): Promise<void> {
    return this.#writer.drained();
  }

  /** Sends a frame, which must not be changed afterwards. Ignored when the link is closed. */
  send(frame: Uint8Array): void {
    if (this.#state !== "open") return;
    this.#writer.send(frame);
    if (this.#writer.queuedBytes > MAX_QUEUED_BYTES) this.#pauseReading();
  }

  /**
   * Ends the link in order: what was sent still goes out, what still arrives is dropped. Reading
   * goes on until the peer closes, because closing a socket with unread bytes resets it, and a
   * reset can take what we wrote last from the peer.
   */
  close(): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#writer.end();
    this.#socket.resume();
    setTimeout(() => this.#finish(undefined), CLOSE_GRACE_MS).unref();
  }

  /** Ends the link at once, as a payload that can't be read does. */
  fail(error: Error): void {
    this.#finish(error);
  }

  #pauseReading(): void {
    if (this.#socket.isPaused()) return;
    this.#socket.pause();
    void this.#writer.drained().then(() => this.#socket.resume());
  }

  #receive(chunk: Uint8Array): void {
    if (this.#state !== "open") return;
    try {
      for (const payload of this.#decoder.push(chunk)) {
        if (this.#state !== "open") return;
        this.#options.onPayload(payload);
      }
      if (this.#decoder.failure !== undefined) throw this.#decoder.failure;
    } catch (error) {
      this.#finish(asError(error));
    }
  }

  #endOfStream(): void {
    try {
      if (this.#state === "open") this.#decoder.end();
      this.#finish(undefined);
    } catch (error) {
      this.#finish(asError(error));
    }
  }

  #finish(error: Error | undefined): void {
    if (this.#state === "ended") return;
    const byPeer = this.#state === "open" && error === undefined;
    const reported = this.#state === "open" ? error : undefined;
    this.#state = "ended";
    this.#writer.abandon();
    if (byPeer) this.#endSocket();
    else this.#socket.destroy();
    this.#options.onEnd(reported);
  }

  /** A peer that sends no more may still read: what is on its way to it gets a moment to arrive. */
  #endSocket(): void {
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), CLOSE_GRACE_MS).unref();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
