import { FrameError } from "../frame-error.ts";
import type { DecodeOptions } from "../msgpack/limits.ts";
import { ValueReader } from "../msgpack/value-reader.ts";
import { isTextMap, type TextMap } from "../value/text-map.ts";
import type { WireValue } from "../value/wire-value.ts";
import type { FrameId } from "./frame-types.ts";

/**
 * Decodes a payload down to the array that every frame is, and its id.
 *
 * The whole payload is read before its shape is judged, so `not-msgpack` and `trailing-bytes` win
 * over the other codes.
 *
 * @param minimum - how many elements the direction demands
 * @returns the id and what follows it; missing elements are `null`
 */
export function decodeElements(
  payload: Uint8Array,
  minimum: 1 | 2,
  options: DecodeOptions,
): { id: FrameId; second: WireValue; third: WireValue } {
  const reader = new ValueReader(payload, options);
  const count = reader.arrayHeader();
  if (count === undefined) reader.value();
  const idHead = reader.peek();
  let id: WireValue | undefined;
  let second: WireValue = null;
  let third: WireValue = null;
  for (let index = 0; index < (count ?? 0); index++) {
    const element = reader.item();
    if (index === 0) id = element;
    else if (index === 1) second = element;
    else if (index === 2) third = element;
  }
  refuseTrailing(reader, payload);
  if (count === undefined || count < minimum) throw badArity(count, minimum);
  return { id: checkId(id, idHead), second, third };
}

function refuseTrailing(reader: ValueReader, payload: Uint8Array): void {
  if (reader.atEnd) return;
  const left = payload.byteLength - reader.offset;
  throw new FrameError(
    "trailing-bytes",
    `the payload of ${payload.byteLength} bytes has ${left} left over after its one value`,
    { payloadOffset: reader.offset },
  );
}

function badArity(count: number | undefined, minimum: number): FrameError {
  const arrived = count === undefined ? "no array" : `an array of ${count}`;
  const expected = minimum === 1 ? "at least an id" : "at least an id and a body";
  return new FrameError("bad-arity", `the payload is ${arrived}; expected ${expected}`);
}

/** By its first byte too, because a float such as 1.0 is no integer but decodes to the same. */
function checkId(id: WireValue | undefined, head: number | undefined): FrameId {
  const isFloat = head === 0xca || head === 0xcb;
  if (!isFloat && (typeof id === "number" || typeof id === "bigint")) return id;
  throw new FrameError("bad-id", `the frame's id is ${describe(id, isFloat)}; expected an integer`);
}

/** The element as body or error: null, or a map whose keys are all text. */
export function checkMap(value: WireValue, id: FrameId, name: "body" | "error"): TextMap | null {
  if (value === null) return null;
  if (isTextMap(value)) return value;
  throw new FrameError(
    "bad-body",
    `the ${name} of frame ${id} is ${describe(value)}; expected null or a map whose keys are text`,
  );
}

/** What a value is, in words for an error message. */
export function describe(value: WireValue | undefined, isFloat = false): string {
  if (value === null || value === undefined) return "null";
  if (isFloat) return "a float";
  if (typeof value === "string") return "text";
  if (typeof value === "number" || typeof value === "bigint") return "a number";
  if (typeof value === "boolean") return "a boolean";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Map) return "a map with keys that are not text";
  return isTextMap(value) ? "a map" : `a ${value.constructor.name.toLowerCase()}`;
}
