import { fromExactJson } from "@parlance/coordinator";
import { decodeResponseFrame } from "@parlance/framing";
import type { LinkPlan } from "../case/case-types.ts";
import { encodeFrame } from "./encode-frame.ts";

/** An id that no runtime comes to in a case. */
const STRAY_ID = 1_000_003;
const STRAY_ERROR = { type: "ErrorResponse", error: "GENERIC_ERROR", detail: null };

/** A frame of the supervisor on its way, or one of the kit's own. */
export type OutgoingFrame =
  | { readonly payload: Uint8Array; readonly asked?: string | undefined; readonly stray?: never }
  | { readonly stray: NonNullable<LinkPlan["strayAnswer"]> };

/** The bytes of a frame as the case wants them; unchanged where it wants nothing. */
export function reshapeFrame(frame: OutgoingFrame, plan: LinkPlan): Buffer {
  if (frame.stray !== undefined) {
    const error = frame.stray === "error" ? STRAY_ERROR : null;
    return encodeFrame([STRAY_ID, null, error], {});
  }
  const replacement = plan.replace?.find(({ to }) => to === frame.asked);
  const changes =
    replacement ?? plan.widest ?? plan.timestampBytes ?? plan.elements ?? plan.unknownFields;
  if (changes === undefined || changes === false) return withPrefix(frame.payload);
  const { id, body, error } = decodeResponseFrame(frame.payload, { wrapFloats: true });
  const shown = replacement
    ? { body: wire(replacement.body), error: wire(replacement.error) }
    : { body: body as unknown, error: error as unknown };
  const known = [id, added(shown.body, plan), added(shown.error, plan)];
  const elements = plan.elements === 2 ? known.slice(0, 2) : known;
  if (plan.elements === 4) elements.push({ nobody: "knows" });
  return encodeFrame(elements, { widest: plan.widest, timestampBytes: plan.timestampBytes });
}

/** A payload as a whole frame. */
export function withPrefix(payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + payload.byteLength);
  bytes.writeUInt32BE(payload.byteLength);
  bytes.set(payload, 4);
  return bytes;
}

function wire(value: unknown): unknown {
  return value === undefined ? null : fromExactJson(value);
}

function added(value: unknown, { unknownFields }: LinkPlan): unknown {
  if (!unknownFields || value === null || typeof value !== "object") return value;
  return { ...value, a_field_of_later: { deep: [1] } };
}
