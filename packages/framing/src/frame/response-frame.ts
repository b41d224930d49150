import type { DecodeOptions } from "../msgpack/limits.ts";
import { checkMapArgument, encodeFrame } from "./encode-frame.ts";
import { checkMap, decodeElements } from "./frame-elements.ts";
import type { FrameId, OrderedResponseFrame, ResponseFrame } from "./frame-types.ts";

const ENCODE = "encodeResponseFrame";

/** What {@link encodeResponseFrame} takes; a missing body or error is written as nil. */
export interface ResponseFrameInput {
  readonly id: FrameId;
  /** A map with text keys, or `null`. Values of `undefined` are left out. */
  readonly body?: unknown;
  readonly error?: unknown;
}

/**
 * Encodes a frame to a task, length prefix included: always three elements, as stock writes it.
 * The bytes belong to the caller alone.
 *
 * @throws FrameError `cannot-encode` with the `path` of what has no form on the wire
 */
export function encodeResponseFrame(frame: ResponseFrameInput): Uint8Array {
  checkMapArgument(ENCODE, "body", frame.body);
  checkMapArgument(ENCODE, "error", frame.error);
  return encodeFrame(ENCODE, frame.id, [
    ["body", frame.body ?? null],
    ["error", frame.error ?? null],
  ]);
}

/**
 * Decodes the payload of a frame to a task (without its prefix): one or more elements; missing
 * ones are `null`, those after the third are ignored.
 *
 * @throws FrameError `not-msgpack`, `trailing-bytes`, `bad-arity`, `bad-id`, `bad-body` (of the
 * error element too)
 */
export function decodeResponseFrame(
  payload: Uint8Array,
  options: DecodeOptions & { readonly maps: "map" },
): OrderedResponseFrame;
export function decodeResponseFrame(payload: Uint8Array, options?: DecodeOptions): ResponseFrame;
export function decodeResponseFrame(
  payload: Uint8Array,
  options: DecodeOptions = {},
): ResponseFrame | OrderedResponseFrame {
  const { id, second, third } = decodeElements(payload, 1, options);
  return {
    id,
    body: checkMap(second, id, "body"),
    error: checkMap(third, id, "error"),
  } as ResponseFrame | OrderedResponseFrame;
}
