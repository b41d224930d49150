import {
  decodeRequestFrame,
  type FrameErrorCode,
  type FrameId,
  isFrameError,
} from "@parlance/framing";
import type { SchemaVersion } from "@parlance/protocol";
import { type ValidationResult, validateBody } from "@parlance/protocol/validate";
import { exactJsonText } from "../store/exact-json.ts";
import { toSharedBytes } from "./exact-json-bytes.ts";

/** What is known of a large request after its frame was read; goes from thread to thread. */
export type ReadRequest =
  /** A valid SetXCom: the body without `value`, and the value as exact JSON text in UTF-8, shared. */
  | {
      readonly kind: "set-xcom";
      readonly id: FrameId;
      readonly body: { readonly [key: string]: unknown };
      readonly json: Uint8Array;
    }
  /** A body that no schema takes. */
  | {
      readonly kind: "invalid";
      readonly id: FrameId;
      readonly verdict: Extract<ValidationResult, { valid: false }>;
    }
  /** No frame: the code and the text of the FrameError. */
  | {
      readonly kind: "no-frame";
      readonly code: FrameErrorCode;
      readonly message: string;
      readonly payloadOffset: number | undefined;
    }
  /** Anything else: there is no way to hand it over but as it came. */
  | { readonly kind: "other"; readonly payload: Uint8Array };

/** Reads a payload as a supervisor does, down to what can be handed to another thread. */
export function readRequest(payload: Uint8Array, schemaVersion: SchemaVersion): ReadRequest {
  try {
    // A float that is whole has to be one again when another task reads it.
    const { id, body } = decodeRequestFrame(payload, { wrapFloats: true });
    const verdict = validateBody(schemaVersion, "to-supervisor", body);
    if (!verdict.valid) return { kind: "invalid", id, verdict };
    if (verdict.type !== "SetXCom") return { kind: "other", payload };
    const { value, ...rest } = body as { readonly [key: string]: unknown };
    return { kind: "set-xcom", id, body: rest, json: toSharedBytes(exactJsonText(value)) };
  } catch (error) {
    if (!isFrameError(error)) return { kind: "other", payload }; // a text beyond any string, say
    const { code, message, payloadOffset } = error;
    return { kind: "no-frame", code, message, payloadOffset };
  }
}
