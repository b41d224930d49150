import {
  encodeRequestFrame,
  encodeResponseFrame,
  type FrameId,
  isFrameError,
  type WireValue,
} from "@parlance/framing";
import type { Direction } from "@parlance/protocol";
import { type ExactJson, parseExactJson } from "../notation/exact-json.ts";
import { NotationError } from "../notation/notation-error.ts";
import { parseValue } from "./parse-value.ts";
import { thirdElement } from "./third-element.ts";

/** What is wrong with a line that should describe a frame. */
export class LineError extends Error {
  /**
   * `not-json`: no JSON in UTF-8; `bad-line`: no object of a frame's fields; `bad-value`: an
   * object with `$` that is not of the notation; the others as `wire decode` has them.
   */
  readonly code:
    | "not-json"
    | "bad-line"
    | "bad-value"
    | "bad-id"
    | "bad-body"
    | "bad-carrier"
    | "cannot-encode";

  constructor(code: LineError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(LineError.prototype, "name", { value: "LineError" });

/**
 * Encodes the frame that one line of JSON describes; gives nothing for a blank line.
 *
 * @throws LineError
 */
export function encodeFrameLine(line: Uint8Array, direction: Direction): Uint8Array | undefined {
  const text = decodeText(line);
  if (text.trim() === "") return undefined;
  const fields = readFields(text, thirdElement(direction));
  const id = checkId(field(fields, "id"));
  const body = checkMap(field(fields, "body"), "body");
  try {
    if (direction === "to-supervisor") {
      return encodeRequestFrame({ id, body, carrier: checkCarrier(field(fields, "carrier")) });
    }
    return encodeResponseFrame({ id, body, error: checkMap(field(fields, "error"), "error") });
  } catch (error) {
    if (!isFrameError(error)) throw error;
    const message = error.message.replace(/^encode\w+: /, "");
    throw new LineError("cannot-encode", message, { cause: error });
  }
}

function decodeText(line: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch (cause) {
    throw new LineError("not-json", "the line is not UTF-8", { cause });
  }
}

type Fields = ReadonlyMap<string, ExactJson>;

function readFields(text: string, third: "carrier" | "error"): Fields {
  const json = parseJson(text);
  if (!(json instanceof Map)) {
    throw new LineError("bad-line", "expected an object with id, body and the like");
  }
  for (const [key, value] of json) {
    if (["offset", "length", "id", "body", third].includes(key) || value === null) continue;
    const hint = key === "error" || key === "carrier" ? "; is --direction right?" : "";
    throw new LineError("bad-line", `a frame has no ${JSON.stringify(key.slice(0, 60))}${hint}`);
  }
  return json;
}

function parseJson(text: string): ExactJson {
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new LineError("not-json", `no JSON: ${cause.message}`, { cause });
  }
}

function field(fields: Fields, name: string): WireValue {
  try {
    return parseValue(fields.get(name) ?? null);
  } catch (cause) {
    if (!(cause instanceof NotationError)) throw cause;
    throw new LineError("bad-value", `${name}: ${cause.message}`, { cause });
  }
}

function checkId(value: WireValue): FrameId {
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return value as FrameId;
  throw new LineError("bad-id", "id: expected an integer");
}

function checkMap(value: WireValue, name: "body" | "error"): ReadonlyMap<string, WireValue> | null {
  if (value === null || isTextMap(value)) return value;
  throw new LineError("bad-body", `${name}: expected null or an object with text keys`);
}

function checkCarrier(value: WireValue): ReadonlyMap<string, string> | null {
  if (value === null) return null;
  if (isTextMap(value) && [...value.values()].every((item) => typeof item === "string")) {
    return value as ReadonlyMap<string, string>;
  }
  throw new LineError("bad-carrier", "carrier: expected null or an object of text to text");
}

function isTextMap(value: WireValue): value is ReadonlyMap<string, WireValue> {
  return value instanceof Map && [...value.keys()].every((key) => typeof key === "string");
}
