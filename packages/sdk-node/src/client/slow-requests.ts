import { monotonicMs } from "@parlance/framing";
/** A request that has no answer yet. */
export interface WaitingRequest {
  readonly type: string;
  readonly sinceMs: number;
  dueMs: number;
}

/** When a {@link SlowRequests} tells, and whom. */
export interface SlowRequestsOptions {
  /** From the request on. */
  readonly firstNoticeMs: number;
  /** From one notice to the next. */
  readonly nextNoticeMs: number;
  readonly onSlow: (type: string, waitedSeconds: number) => void;
}

/**
 * Tells of requests whose answer is late. One timer serves all of them and is only looked at when
 * it ends, so that a request that is answered in time costs none. It keeps no process alive.
 */
export class SlowRequests {
  readonly #options: SlowRequestsOptions;
  readonly #waiting = new Set<WaitingRequest>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlowRequestsOptions) {
    this.#options = options;
  }

  /** @param type - of the message */
  add(type: string): WaitingRequest {
    const { firstNoticeMs } = this.#options;
    const sinceMs = monotonicMs();
    const request = { type, sinceMs, dueMs: sinceMs + firstNoticeMs };
    this.#waiting.add(request);
    this.#timer ??= this.#lookIn(firstNoticeMs);
    return request;
  }

  /** It was answered, or nobody waits for it any more. */
  delete(request: WaitingRequest): void {
    this.#waiting.delete(request);
  }

  #lookIn(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), delayMs).unref();
  }

  #look(): void {
    const now = monotonicMs();
    let next = Number.POSITIVE_INFINITY;
    for (const request of this.#waiting) {
      if (request.dueMs <= now) {
        request.dueMs = now + this.#options.nextNoticeMs;
        this.#options.onSlow(request.type, Math.round((now - request.sinceMs) / 1000));
      }
      next = Math.min(next, request.dueMs);
    }
    this.#timer = this.#waiting.size === 0 ? undefined : this.#lookIn(Math.ceil(next - now));
  }
}
