import type { Socket } from "node:net";
import type { OrderedRequestFrame } from "@parlance/framing";
import { decodeRequestFrame, FrameDecoder, FrameError, KeyCache } from "@parlance/framing";

/** More waiting than this, and no more is read from the runtime, in bytes. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** What came next from a runtime. */
export type NextFrame =
  | { readonly frame: OrderedRequestFrame; readonly payload: Uint8Array }
  /** It sent something that is no frame; nothing comes after it. */
  | { readonly error: FrameError; readonly payload: Uint8Array | undefined }
  | "ended"
  | "nothing";

/** The frames that a runtime sends, one at a time. */
export class FrameQueue {
  readonly #decoder = new FrameDecoder({ maxFrameBytes: 2 ** 32 - 1 });
  readonly #keys = new KeyCache();
  readonly #comm: Socket;
  readonly #payloads: Uint8Array[] = [];
  #bytes = 0;
  #failure: FrameError | undefined;
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(comm: Socket) {
    this.#comm = comm;
    comm.on("data", (chunk: Uint8Array) => this.#take(chunk));
    comm.on("end", () => this.#end());
    comm.on("close", () => this.#end());
  }

  /** Waits for the next frame, at most so long, in milliseconds. */
  async next(timeoutMs: number): Promise<NextFrame> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, timeoutMs);
    try {
      for (;;) {
        const payload = this.#payloads.shift();
        if (payload !== undefined) return this.#decode(payload);
        if (this.#failure !== undefined) return { error: this.#failure, payload: undefined };
        if (this.#hasEnded) return "ended";
        if (isLate) return "nothing";
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #decode(payload: Uint8Array): NextFrame {
    this.#bytes -= payload.byteLength;
    if (this.#bytes < MAX_WAITING_BYTES && this.#comm.isPaused()) this.#comm.resume();
    try {
      const options = { maps: "map", wrapFloats: true, keys: this.#keys } as const;
      return { frame: decodeRequestFrame(payload, options), payload };
    } catch (error) {
      if (error instanceof FrameError) return { error, payload };
      throw error;
    }
  }

  #take(chunk: Uint8Array): void {
    if (this.#failure !== undefined) return;
    for (const payload of this.#decoder.push(chunk)) {
      this.#payloads.push(payload);
      this.#bytes += payload.byteLength;
    }
    this.#failure = this.#decoder.failure;
    if (this.#bytes >= MAX_WAITING_BYTES) this.#comm.pause();
    this.#wake();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#wake();
  }
}
