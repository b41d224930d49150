// Both ends of the comm link

export { SupervisorChannel, type SupervisorChannelOptions } from "./channel/supervisor-channel.ts";
export {
  type RequestOptions,
  TaskChannel,
  type TaskChannelOptions,
} from "./channel/task-channel.ts";
export { ChannelClosedError, RequestTimeoutError } from "./channel-errors.ts";

// Frames without a socket

export {
  FrameDecoder,
  type FrameDecoderOptions,
  type LargePayloadOptions,
} from "./frame/frame-decoder.ts";
export type {
  ContextCarrier,
  FrameId,
  OrderedRequestFrame,
  OrderedResponseFrame,
  RequestFrame,
  ResponseFrame,
} from "./frame/frame-types.ts";
export {
  decodeRequestFrame,
  encodeRequestFrame,
  type RequestFrameInput,
} from "./frame/request-frame.ts";
export {
  decodeResponseFrame,
  encodeResponseFrame,
  type ResponseFrameInput,
} from "./frame/response-frame.ts";
export {
  FrameError,
  type FrameErrorCode,
  type FrameErrorDetails,
  isFrameError,
} from "./frame-error.ts";
export { KeyCache } from "./msgpack/key-cache.ts";
export type { DecodeOptions } from "./msgpack/limits.ts";

// Time

export { monotonicMs } from "./clock.ts";

// Values

export { Extension } from "./value/extension.ts";
export { Float } from "./value/float.ts";
export { Timestamp } from "./value/timestamp.ts";
export { decodeTimestamp, encodeTimestamp } from "./value/timestamp-bytes.ts";
export type { WireMap, WireValue } from "./value/wire-value.ts";

// Lines

export { type Line, LineDecoder, type LineDecoderOptions } from "./line/line-decoder.ts";
