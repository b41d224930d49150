import type { Duplex } from "node:stream";
import { ChannelClosedError } from "../channel-errors.ts";
import type { ContextCarrier, ResponseFrame } from "../frame/frame-types.ts";
import { encodeRequestFrame } from "../frame/request-frame.ts";
import { decodeResponseFrame } from "../frame/response-frame.ts";
import { KeyCache } from "../msgpack/key-cache.ts";
import { FrameLink } from "./frame-link.ts";
import { PendingRequests } from "./pending-requests.ts";

/** Ten minutes: stock retries a failing API for some minutes before it answers. */
const DEFAULT_REQUEST_TIMEOUT_MS = 600_000;

/** Limits of a {@link TaskChannel}. */
export interface TaskChannelOptions {
  /** The longest payload let in, in bytes. @default 1 GiB */
  readonly maxFrameBytes?: number | undefined;
  /**
   * Deadline of an answer, unless the request has its own. Stock never answers a request it
   * cannot read, so there should be one. `Infinity` waits for ever. @default 600_000
   */
  readonly requestTimeoutMs?: number | undefined;
}

/** Options of one {@link TaskChannel.request}. */
export interface RequestOptions {
  readonly timeoutMs?: number | undefined;
  /** Tracing headers to parent the supervisor's work on this request. */
  readonly carrier?: ContextCarrier | null | undefined;
  /** Gives up waiting (the request itself is not taken back); rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The runtime's end of the comm link: takes the first frame, sends requests and matches their
 * answers by id. Requests made before the event loop goes on leave together, up to 16 in a write.
 *
 * When the link ends, for whatever reason, everything that waits rejects with
 * `ChannelClosedError`. The channel owns the socket; no error of it is ever uncaught.
 */
export class TaskChannel {
  /**
   * Settles when the link has ended, never rejects: `undefined` for an end on a frame border or
   * by {@link close}, else the FrameError or the socket's error.
   */
  readonly closed: Promise<Error | undefined>;
  readonly #link: FrameLink;
  readonly #requestTimeoutMs: number;
  readonly #requests: PendingRequests = new PendingRequests("request");
  /** Those who wait for the first frame. */
  readonly #openings: PendingRequests = new PendingRequests("first");
  #firstFrame: ResponseFrame | undefined;
  #openingCount = 0;
  #lastId = 0;
  #ignoredAnswers = 0;
  #closedCause: Error | undefined;

  constructor(socket: Duplex, options: TaskChannelOptions = {}) {
    this.#requestTimeoutMs = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
    let settle: (error: Error | undefined) => void;
    this.closed = new Promise((resolve) => {
      settle = resolve;
    });
    const keys = new KeyCache();
    this.#link = new FrameLink(socket, {
      maxFrameBytes: options.maxFrameBytes,
      onPayload: (payload) => this.#receive(decodeResponseFrame(payload, { keys })),
      onEnd: (error) => {
        this.#rejectAll(error);
        settle(error);
      },
    });
  }

  /** Requests that wait for their answer. */
  get pendingRequests(): number {
    return this.#requests.size;
  }

  /** Answers to no request that waits: late ones, repeated ones, unknown ids. They are dropped. */
  get ignoredAnswers(): number {
    return this.#ignoredAnswers;
  }

  /**
   * The first frame of the link, whatever its id: startup details, or a request to parse. Gives
   * the same frame to every caller.
   *
   * @throws ChannelClosedError, RequestTimeoutError (a later call may still get the frame)
   */
  first(options: { readonly timeoutMs?: number | undefined } = {}): Promise<ResponseFrame> {
    if (this.#firstFrame !== undefined) return Promise.resolve(this.#firstFrame);
    if (!this.#link.isOpen) return Promise.reject(this.#closedError("first"));
    const timeoutMs = options.timeoutMs ?? this.#requestTimeoutMs;
    return this.#openings.wait(++this.#openingCount, { timeoutMs });
  }

  /**
   * Sends a request and resolves to its answer; look at both `body` and `error` of it. Ids go up
   * by one, from 1: the first frame has 0 from stock.
   *
   * @param body - a map with text keys
   * @throws FrameError `cannot-encode` (nothing was sent), RequestTimeoutError,
   * ChannelClosedError, or the reason of the aborted signal
   */
  request(body: unknown, options: RequestOptions = {}): Promise<ResponseFrame> {
    const { carrier, signal, timeoutMs = this.#requestTimeoutMs } = options;
    const id = this.#lastId + 1;
    let frame: Uint8Array;
    try {
      if (!this.#link.isOpen) throw this.#closedError("request");
      signal?.throwIfAborted();
      frame = encodeRequestFrame({ id, body, carrier });
    } catch (error) {
      return Promise.reject(error);
    }
    this.#lastId = id;
    this.#link.send(frame);
    return this.#requests.wait(id, { timeoutMs, signal });
  }

  /** Ends the link after all that was sent has gone out; what waits rejects. Safe to call twice. */
  close(): void {
    if (!this.#link.isOpen) return;
    this.#link.close();
    this.#rejectAll(undefined);
  }

  #receive(frame: ResponseFrame): void {
    if (this.#firstFrame === undefined) {
      this.#firstFrame = frame;
      this.#openings.answerAll(frame);
    } else if (!this.#requests.answer(frame)) this.#ignoredAnswers++;
  }

  #rejectAll(cause: Error | undefined): void {
    this.#closedCause ??= cause;
    this.#requests.rejectAll(() => this.#closedError("request"));
    this.#openings.rejectAll(() => this.#closedError("first"));
  }

  #closedError(call: string): ChannelClosedError {
    const cause = this.#closedCause;
    if (cause === undefined) return new ChannelClosedError(`${call}: the link has been closed`);
    return new ChannelClosedError(`${call}: the link has ended: ${cause.message}`, { cause });
  }
}
