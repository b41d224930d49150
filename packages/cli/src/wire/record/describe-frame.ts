import type { FrameRedactor } from "@parlance/coordinator";
import {
  decodeRequestFrame,
  decodeResponseFrame,
  FrameError,
  type KeyCache,
  type WireValue,
} from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { emitJson } from "../../json-text.ts";
import { emitFrameFields } from "../frame-fields.ts";
import { ValuePrinter } from "../value-printer.ts";
import type { SplitFrame } from "./frame-splitter.ts";

/** Bytes that are no frame are shown up to here. */
const MAX_HEX_BYTES = 64 * 1024;

/** What a description needs to know of its link. */
export interface FrameContext {
  readonly direction: Direction;
  readonly redactor: FrameRedactor;
  readonly keys: KeyCache;
  /** Called with the Dag, run, task and try of start-up details. */
  readonly onTaskInstance: (ti: ReadonlyMap<string, WireValue>) => void;
}

/**
 * Emits the fields of a transcript's entry that describe one frame: decoded and without its secrets,
 * or else why it can't be decoded and its bytes.
 */
export function describeFrame(
  { length, payload }: SplitFrame,
  context: FrameContext,
  emit: (piece: string) => void,
): void {
  const { direction, redactor, keys } = context;
  emit(`"direction":"${direction}","length":${length},`);
  if (payload === undefined) {
    emit('"omitted":true');
    return;
  }
  const options = { maps: "map", wrapFloats: true, keys } as const;
  try {
    const isRequest = direction === "to-supervisor";
    const frame = isRequest
      ? decodeRequestFrame(payload, options)
      : decodeResponseFrame(payload, options);
    const third = "error" in frame ? frame.error : frame.carrier;
    const { id, body } = frame;
    const details = direction === "to-task" ? body?.get("ti") : undefined;
    if (details instanceof Map) context.onTaskInstance(details);
    const shown = redactor.frame({ direction, id, body, third });
    emitFrameFields({ direction, id, ...shown }, emit);
    const count = elementCount(payload);
    if (count === 3 || (isRequest && count === 2)) return;
    emit(`,"elements":${count}`);
    if (count > 3) emitMore(payload, redactor, emit);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    emitBytes(length === 0 ? "empty-frame" : error.code, payload, redactor, emit);
  }
}

/** `"fault":"CODE","hex":"…"`, known secrets replaced. */
export function emitBytes(
  fault: string,
  bytes: Uint8Array,
  redactor: FrameRedactor,
  emit: (piece: string) => void,
): void {
  const shown = Buffer.from(redactor.bytes(bytes)).subarray(0, MAX_HEX_BYTES);
  emit(`"fault":"${fault}","hex":"${shown.toString("hex")}"`);
  if (bytes.byteLength > MAX_HEX_BYTES) emit(',"cut":true');
}

/** Of a payload that has been decoded, so it is an array. */
function elementCount(payload: Uint8Array): number {
  const [head = 0] = payload;
  if (head < 0xa0) return head & 0x0f;
  const view = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  return head === 0xdc ? view.readUInt16BE(1) : view.readUInt32BE(1);
}

/** Elements after the third, which every reader of ours leaves out: 3.4's own runner sends one. */
function emitMore(
  payload: Uint8Array,
  redactor: FrameRedactor,
  emit: (piece: string) => void,
): void {
  const wrapped = Buffer.concat([WRAPPER, payload]);
  const { body } = decodeRequestFrame(wrapped, { maps: "map", wrapFloats: true });
  const elements = body?.get("x") ?? [];
  const more = Array.isArray(elements) ? elements.slice(3) : [];
  const { value, redacted } = redactor.value(more, "/more");
  emit(',"more":');
  new ValuePrinter(emit).print(value as WireValue);
  if (redacted.length === 0) return;
  emit(',"redactedMore":');
  emitJson(redacted, emit);
}

/** `[0, {"x": …` before a payload makes a frame that has all of it as one value. */
const WRAPPER = Buffer.from("920081a178", "hex");
