/*
 * A frame, as bytes:
 *
 *   00 00 00 3d   length of the payload, u32 big-endian, 1 to 2^32-1
 *   92 00 86 …    payload: one MessagePack array
 *
 *   to a supervisor   [id, body] or [id, body, carrier]
 *   to a task         [id, body, error]
 */
import { FrameError } from "../frame-error.ts";
import { ByteSink } from "../msgpack/byte-sink.ts";
import { EncodeFault } from "../msgpack/encode-fault.ts";
import { ValueWriter } from "../msgpack/value-writer.ts";
import type { FrameId } from "./frame-types.ts";

/** Bytes of the length before each payload. */
export const PREFIX_BYTES = 4;

/** The longest payload that the prefix can announce: 2^32-1 bytes. */
export const MAX_PAYLOAD_BYTES: number = 2 ** 32 - 1;

/** What follows the id, with the name that an error message uses. */
export type NamedElement = readonly [name: string, value: unknown];

/**
 * Encodes one frame into a buffer of its own.
 *
 * @param call - the public function, for error messages
 * @throws FrameError `cannot-encode`
 */
export function encodeFrame(
  call: string,
  id: FrameId,
  elements: readonly NamedElement[],
): Uint8Array {
  const sink = new ByteSink();
  sink.reserve(PREFIX_BYTES);
  const writer = new ValueWriter(sink);
  writer.arrayHeader(elements.length + 1);
  let element = "id";
  try {
    writeId(writer, id);
    for (const [name, value] of elements) {
      element = name;
      writer.value(value);
    }
  } catch (error) {
    throw asFrameError(call, element, error);
  }
  const length = sink.length - PREFIX_BYTES;
  if (length > MAX_PAYLOAD_BYTES) {
    throw new FrameError("cannot-encode", `${call}: a payload of ${length} bytes is over 2^32-1`);
  }
  sink.buffer.writeUInt32BE(length, 0);
  return sink.finish();
}

function writeId(writer: ValueWriter, id: FrameId): void {
  if (typeof id === "bigint") writer.bigint(id);
  else if (Number.isSafeInteger(id)) writer.integer(id);
  else throw new EncodeFault(`${String(id)} is not an integer`);
}

function asFrameError(call: string, element: string, error: unknown): unknown {
  if (error instanceof EncodeFault) {
    error.steps.push(element);
    const path = error.path();
    return new FrameError("cannot-encode", `${call}: ${path}: ${error.message}`, { path });
  }
  // Buffer's own complaint about a size; anything else (what a getter threw) stays as it is.
  if ((error as NodeJS.ErrnoException).code !== "ERR_OUT_OF_RANGE") return error;
  const message = `${call}: ${element}: the frame is larger than a buffer can be`;
  return new FrameError("cannot-encode", message, { path: element, cause: error });
}

/**
 * Refuses a body that is no map, before anything is written. What a map is made of is the
 * writer's to judge.
 */
export function checkMapArgument(call: string, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  const isMap = value instanceof Map ? [...value.keys()].every(isText) : isRecord(value);
  if (isMap) return;
  throw new FrameError(
    "cannot-encode",
    `${call}: ${name}: expected null or a map whose keys are text`,
    { path: name },
  );
}

function isText(key: unknown): boolean {
  return typeof key === "string";
}

function isRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
