import { encodeResponseFrame, type FrameId } from "@parlance/framing";
import { ExactJsonBytes } from "./exact-json-bytes.ts";

/** An answer with a large value in one of its fields; goes from thread to thread. */
export interface LargeAnswer {
  readonly id: FrameId;
  /** Without the large field. */
  readonly body: { readonly [key: string]: unknown };
  readonly field: string;
  /** The value of the field as exact JSON text in UTF-8. */
  readonly json: Uint8Array;
}

/** Encodes the whole frame. @throws FrameError `cannot-encode` */
export function writeAnswer({ id, body, field, json }: LargeAnswer): Uint8Array {
  const { type, ...rest } = body;
  const value = new ExactJsonBytes(json).toValue();
  return encodeResponseFrame({ id, body: { ...rest, [field]: value, type }, error: null });
}
