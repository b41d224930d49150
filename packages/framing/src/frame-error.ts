/**
 * What is wrong with a frame.
 *
 * | code | meaning |
 * |---|---|
 * | `truncated` | the stream ended inside a length prefix or a payload |
 * | `too-large` | the prefix announces more than `maxFrameBytes` |
 * | `empty-frame` | the prefix announces 0 bytes (stock 3.3.2 never reads such a socket again) |
 * | `not-msgpack` | the payload is no well-formed value: bad byte, bad UTF-8, bad timestamp, too deep, too many elements |
 * | `trailing-bytes` | bytes follow the one value of the payload |
 * | `bad-arity` | not an array, or too few elements |
 * | `bad-id` | the id is not an integer |
 * | `bad-body` | body or error is neither null nor a map whose keys are text |
 * | `bad-carrier` | the context carrier is neither null nor a map of text to text |
 * | `cannot-encode` | a value given to the encoder has no form on the wire |
 */
export type FrameErrorCode =
  | "truncated"
  | "too-large"
  | "empty-frame"
  | "not-msgpack"
  | "trailing-bytes"
  | "bad-arity"
  | "bad-id"
  | "bad-body"
  | "bad-carrier"
  | "cannot-encode";

/** Where the fault is; each field is there only when it is known. */
export interface FrameErrorDetails {
  /** Byte of the stream at which the bad frame's prefix begins. */
  readonly streamOffset?: number;
  /** Byte of the payload at which the fault was seen. */
  readonly payloadOffset?: number;
  /** Where in the value given to the encoder, e.g. `body.rows[3].price`. */
  readonly path?: string;
  readonly cause?: unknown;
}

const BRAND: unique symbol = Symbol.for("parlance.frame-error") as never;

/** A frame that cannot be read, or a value that cannot be written as one. */
export class FrameError extends Error {
  readonly code: FrameErrorCode;
  readonly streamOffset: number | undefined;
  readonly payloadOffset: number | undefined;
  readonly path: string | undefined;

  constructor(code: FrameErrorCode, message: string, details: FrameErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.streamOffset = details.streamOffset;
    this.payloadOffset = details.payloadOffset;
    this.path = details.path;
  }
}

Object.defineProperty(FrameError.prototype, "name", { value: "FrameError" });
Object.defineProperty(FrameError.prototype, BRAND, { value: true });

/** True for a {@link FrameError}, also one made by another copy of this package. */
export function isFrameError(value: unknown): value is FrameError {
  return value instanceof Error && (value as { [BRAND]?: boolean })[BRAND] === true;
}
