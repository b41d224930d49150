import { encodeError } from "../serializers/encode-fault.ts";
import type { Serializer } from "../serializers/serializer.ts";
import { SerializerError } from "../serializers/serializer-error.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { decodeUtf8 } from "../values/utf8.ts";
import { parseJson } from "./parse-json.ts";
import { printJson } from "./print-json.ts";

/** Bytes exactly as Python's `json.dumps` with kombu's tagged values. */
export function createJsonSerializer(options: ValueOptions): Serializer {
  return { name: "json", encode, decode: (bytes) => decode(bytes, options) };
}

function encode(value: unknown): Uint8Array {
  try {
    return Buffer.from(printJson(value), "latin1"); // it is ASCII
  } catch (error) {
    throw encodeError(error, "json");
  }
}

function decode(bytes: Uint8Array, options: ValueOptions): unknown {
  try {
    return parseJson(decodeUtf8(bytes), options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SerializerError("cannot-decode", `The stored bytes are not readable JSON: ${why}.`, {
      cause: error,
    });
  }
}
