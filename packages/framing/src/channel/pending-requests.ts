import { RequestTimeoutError } from "../channel-errors.ts";
import type { FrameId, ResponseFrame } from "../frame/frame-types.ts";

/** Node fires a longer timer at once; as a deadline it is as good as none. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How one request may end early. */
export interface WaitOptions {
  /** `Infinity` waits for ever. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Entry {
  resolve(frame: ResponseFrame): void;
  reject(error: unknown): void;
}

/**
 * The requests that wait for their answer. An entry goes on answer, deadline, abort and close,
 * whichever is first, together with its timer and its listener.
 */
export class PendingRequests {
  readonly #entries: Map<FrameId, Entry> = new Map();

  get size(): number {
    return this.#entries.size;
  }

  /** @param what - the request, for the message of a missed deadline */
  wait(id: FrameId, what: string, options: WaitOptions): Promise<ResponseFrame> {
    const { timeoutMs, signal } = options;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs > MAX_TIMER_MS
          ? undefined
          : setTimeout(() => this.#late(id, what, timeoutMs), timeoutMs);
      const onAbort = (): void => this.#take(id)?.reject(signal?.reason);
      const release = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#entries.set(id, {
        resolve: (frame) => {
          release();
          resolve(frame);
        },
        reject: (error) => {
          release();
          reject(error);
        },
      });
    });
  }

  /** Gives an answer to the request of its id; false when none waits for it. */
  answer(frame: ResponseFrame): boolean {
    const entry = this.#take(frame.id);
    entry?.resolve(frame);
    return entry !== undefined;
  }

  /** Gives one frame to all that wait, whatever its id. */
  answerAll(frame: ResponseFrame): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) entry.resolve(frame);
  }

  rejectAll(makeError: () => Error): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) entry.reject(makeError());
  }

  #late(id: FrameId, what: string, timeoutMs: number): void {
    const message = `${what}: no answer within ${timeoutMs} ms`;
    this.#take(id)?.reject(new RequestTimeoutError(message, timeoutMs));
  }

  #take(id: FrameId): Entry | undefined {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    return entry;
  }
}
