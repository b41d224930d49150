/**
 * The link to the peer has ended, so the call can get no answer.
 *
 * `cause` says why: a `FrameError` when the peer sent a frame that could not be read or was cut
 * off, the socket's own error (ECONNRESET, EPIPE), or nothing when the link was closed in order.
 */
export class ChannelClosedError extends Error {
  readonly code = "channel-closed";
}

Object.defineProperty(ChannelClosedError.prototype, "name", { value: "ChannelClosedError" });

/** The peer did not answer within the deadline. A later answer to the same id is ignored. */
export class RequestTimeoutError extends Error {
  readonly code = "request-timeout";
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super(message);
    this.timeoutMs = timeoutMs;
  }
}

Object.defineProperty(RequestTimeoutError.prototype, "name", { value: "RequestTimeoutError" });
