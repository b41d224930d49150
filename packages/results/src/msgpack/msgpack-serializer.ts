import { encodeError } from "../serializers/encode-fault.ts";
import type { Serializer } from "../serializers/serializer.ts";
import { SerializerError } from "../serializers/serializer-error.ts";
import type { ValueOptions } from "../serializers/value-options.ts";
import { MsgpackReader } from "./msgpack-reader.ts";
import { MsgpackWriter } from "./msgpack-writer.ts";

/** Bytes as `msgpack.packb(value, use_bin_type=True)` of Python, which is what kombu calls. */
export function createMsgpackSerializer(options: ValueOptions): Serializer {
  return { name: "msgpack", encode, decode: (bytes) => decode(bytes, options) };
}

function encode(value: unknown): Uint8Array {
  try {
    return new MsgpackWriter().write(value);
  } catch (error) {
    throw encodeError(error, "msgpack");
  }
}

function decode(bytes: Uint8Array, options: ValueOptions): unknown {
  try {
    return new MsgpackReader(bytes, options).read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SerializerError(
      "cannot-decode",
      `The stored bytes are not readable msgpack: ${why}.`,
      {
        cause: error,
      },
    );
  }
}
