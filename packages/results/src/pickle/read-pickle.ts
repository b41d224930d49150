import { SerializerError } from "../serializers/serializer-error.ts";
import type { ValueOptions } from "../serializers/value-options.ts";

/**
 * Reads a pickle of plain data.
 *
 * @throws SerializerError `pickle-refused` or `cannot-decode`
 */
export function readPickle(bytes: Uint8Array, _options: ValueOptions = {}): unknown {
  throw new SerializerError("pickle-refused", `A pickle of ${bytes.length} bytes.`);
}
