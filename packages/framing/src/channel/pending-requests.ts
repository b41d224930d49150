import { RequestTimeoutError } from "../channel-errors.ts";
import { monotonicMs } from "../clock.ts";
import type { FrameId, ResponseFrame } from "../frame/frame-types.ts";

/** Node fires a longer timer at once; the deadlines are looked at again when this one ends. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How one wait may end early. */
export interface WaitOptions {
  /** `Infinity` waits for ever. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Entry {
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
  resolve(frame: ResponseFrame): void;
  reject(error: unknown): void;
}

/**
 * The requests that wait for their answer. An entry goes on answer, deadline, abort and close,
 * whichever is first.
 *
 * One timer serves all deadlines: it is set for the earliest and only looked at when it ends, so a
 * request that is answered in time costs none. It does not keep the process alive; the socket does.
 */
export class PendingRequests {
  readonly #name: string;
  readonly #entries: Map<FrameId, Entry> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #timerDeadlineMs = Number.POSITIVE_INFINITY;

  /** @param name - what waits here, for the message of a missed deadline */
  constructor(name: string) {
    this.#name = name;
  }

  get size(): number {
    return this.#entries.size;
  }

  wait(id: FrameId, { timeoutMs, signal }: WaitOptions): Promise<ResponseFrame> {
    return new Promise((resolve, reject) => {
      const deadlineMs = monotonicMs() + timeoutMs;
      const onAbort =
        signal === undefined ? undefined : (): void => this.#take(id)?.reject(signal.reason);
      if (onAbort !== undefined) signal?.addEventListener("abort", onAbort, { once: true });
      this.#entries.set(id, { timeoutMs, deadlineMs, signal, onAbort, resolve, reject });
      if (deadlineMs < this.#timerDeadlineMs) this.#setTimer(deadlineMs);
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
    for (const id of [...this.#entries.keys()]) this.#take(id)?.resolve(frame);
  }

  /** Nothing will be answered any more. */
  rejectAll(makeError: () => Error): void {
    clearTimeout(this.#timer);
    this.#timerDeadlineMs = Number.POSITIVE_INFINITY;
    for (const id of [...this.#entries.keys()]) this.#take(id)?.reject(makeError());
  }

  #setTimer(deadlineMs: number): void {
    clearTimeout(this.#timer);
    const delayMs = Math.min(Math.ceil(deadlineMs - monotonicMs()), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#rejectLate(), Math.max(delayMs, 0)).unref();
    this.#timerDeadlineMs = deadlineMs;
  }

  #rejectLate(): void {
    const now = monotonicMs();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { deadlineMs, timeoutMs }] of this.#entries) {
      if (deadlineMs > now) next = Math.min(next, deadlineMs);
      else {
        const message = `${this.#name} ${id}: no answer within ${timeoutMs} ms`;
        this.#take(id)?.reject(new RequestTimeoutError(message, timeoutMs));
      }
    }
    this.#timerDeadlineMs = Number.POSITIVE_INFINITY;
    if (next !== Number.POSITIVE_INFINITY) this.#setTimer(next);
  }

  #take(id: FrameId): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    if (entry.onAbort !== undefined) entry.signal?.removeEventListener("abort", entry.onAbort);
    return entry;
  }
}
