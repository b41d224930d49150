import { FrameError } from "../frame-error.ts";
import type { DecodeOptions } from "../msgpack/limits.ts";
import type { TextMap } from "../value/text-map.ts";
import { isTextMap } from "../value/text-map.ts";
import type { WireValue } from "../value/wire-value.ts";
import { checkMapArgument, encodeFrame } from "./encode-frame.ts";
import { checkMap, decodeElements } from "./frame-elements.ts";
import type { FrameId, OrderedRequestFrame, RequestFrame } from "./frame-types.ts";

const ENCODE = "encodeRequestFrame";

/** What {@link encodeRequestFrame} takes. */
export interface RequestFrameInput {
  readonly id: FrameId;
  /** A map with text keys, or `null`. Values of `undefined` are left out. */
  readonly body: unknown;
  readonly carrier?:
    | Readonly<Record<string, string>>
    | ReadonlyMap<string, string>
    | null
    | undefined;
}

/**
 * Encodes a frame to a supervisor, length prefix included: two elements, three with a carrier.
 * The bytes belong to the caller alone.
 *
 * @throws FrameError `cannot-encode` with the `path` of what has no form on the wire
 */
export function encodeRequestFrame(frame: RequestFrameInput): Uint8Array {
  checkMapArgument(ENCODE, "body", frame.body);
  const body = ["body", frame.body ?? null] as const;
  const carrier = frame.carrier ?? null;
  if (carrier === null) return encodeFrame(ENCODE, frame.id, [body]);
  checkCarrierArgument(carrier);
  return encodeFrame(ENCODE, frame.id, [body, ["carrier", carrier]]);
}

function checkCarrierArgument(carrier: object): void {
  checkMapArgument(ENCODE, "carrier", carrier);
  const values = carrier instanceof Map ? carrier.values() : Object.values(carrier);
  for (const value of values) {
    if (typeof value === "string") continue;
    throw new FrameError("cannot-encode", `${ENCODE}: carrier: expected text values only`, {
      path: "carrier",
    });
  }
}

/**
 * Decodes the payload of a frame to a supervisor (without its prefix): two or more elements;
 * a missing carrier is `null`, elements after the third are ignored (3.4's Python runner sends
 * four).
 *
 * @throws FrameError `not-msgpack`, `trailing-bytes`, `bad-arity`, `bad-id`, `bad-body`,
 * `bad-carrier`
 */
export function decodeRequestFrame(
  payload: Uint8Array,
  options: DecodeOptions & { readonly maps: "map" },
): OrderedRequestFrame;
export function decodeRequestFrame(payload: Uint8Array, options?: DecodeOptions): RequestFrame;
export function decodeRequestFrame(
  payload: Uint8Array,
  options: DecodeOptions = {},
): RequestFrame | OrderedRequestFrame {
  const { id, second, third } = decodeElements(payload, 2, options);
  return {
    id,
    body: checkMap(second, id, "body"),
    carrier: checkCarrier(third, id),
  } as RequestFrame | OrderedRequestFrame;
}

function checkCarrier(value: WireValue, id: FrameId): TextMap | null {
  if (value === null) return null;
  if (isTextMap(value)) {
    const values: Iterable<WireValue> =
      value instanceof Map ? value.values() : Object.values(value);
    if ([...values].every((item) => typeof item === "string")) return value;
  }
  throw new FrameError(
    "bad-carrier",
    `the carrier of frame ${id} is neither null nor a map of text to text`,
  );
}
