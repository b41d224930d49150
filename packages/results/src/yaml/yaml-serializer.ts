import { encodeError } from "../serializers/encode-fault.ts";
import type { Serializer } from "../serializers/serializer.ts";
import { SerializerError } from "../serializers/serializer-error.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { decodeUtf8 } from "../values/utf8.ts";
import { readYaml } from "./yaml-reader.ts";
import { YamlWriter } from "./yaml-writer.ts";

/** The parser takes about a second for 1 MB of many small nodes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Bytes as PyYAML's `safe_dump` writes them, which is what kombu calls. */
export function createYamlSerializer(options: ValueOptions): Serializer {
  return { name: "yaml", encode, decode: (bytes) => decode(bytes, options) };
}

function encode(value: unknown): Uint8Array {
  try {
    return Buffer.from(new YamlWriter().write(value), "latin1"); // it is ASCII
  } catch (error) {
    throw encodeError(error, "yaml");
  }
}

function decode(bytes: Uint8Array, options: ValueOptions): unknown {
  try {
    const text = decodeUtf8(bytes);
    if (bytes.length > MOST_BYTES) throw new RangeError(`they are more than ${MOST_BYTES} bytes`);
    return readYaml(text, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SerializerError("cannot-decode", `The stored bytes are not readable YAML: ${why}.`, {
      cause: error,
    });
  }
}
