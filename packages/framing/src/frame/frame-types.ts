import type { WireMap, WireValue } from "../value/wire-value.ts";

/** A request's number; its answer carries the same. Stock accepts any 64-bit integer. */
export type FrameId = number | bigint;

/** Tracing headers (`traceparent`, …) of one request. */
export interface ContextCarrier {
  readonly [key: string]: string;
}

/** A frame on its way to a supervisor. */
export interface RequestFrame {
  readonly id: FrameId;
  /** `null` is a request that the supervisor cannot read and does not answer. */
  readonly body: WireMap | null;
  readonly carrier: ContextCarrier | null;
}

/** A frame on its way to a task: its first message, or the answer to a request. */
export interface ResponseFrame {
  readonly id: FrameId;
  /** "Not found" and the like are an ErrorResponse here, in the body. */
  readonly body: WireMap | null;
  /** An ErrorResponse for what failed at the server or in the supervisor. */
  readonly error: WireMap | null;
}

/** A {@link RequestFrame} decoded with `maps: "map"`: every map is a Map in wire order. */
export interface OrderedRequestFrame {
  readonly id: FrameId;
  readonly body: ReadonlyMap<string, WireValue> | null;
  readonly carrier: ReadonlyMap<string, string> | null;
}

/** A {@link ResponseFrame} decoded with `maps: "map"`: every map is a Map in wire order. */
export interface OrderedResponseFrame {
  readonly id: FrameId;
  readonly body: ReadonlyMap<string, WireValue> | null;
  readonly error: ReadonlyMap<string, WireValue> | null;
}
