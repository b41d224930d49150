import { readPickle } from "../pickle/read-pickle.ts";
import type { Serializer } from "./serializer.ts";
import type { ValueOptions } from "./value-options.ts";

/** What every pickle of protocol 2 and later starts with. */
const PICKLE_MARK = 0x80;

/**
 * The value of a `result` column as Celery reads it: by the configured serializer; where that fails
 * and the first byte is 0x80, as a pickle, which is what Celery before 5.7 wrote into these tables
 * whatever the settings said. Only plain data is read of a pickle, see {@link readPickle}.
 *
 * The other columns have no such way back in Celery: use {@link Serializer.decode} for them.
 *
 * @throws SerializerError `cannot-decode`, or `pickle-refused`
 */
export function decodeStored(
  bytes: Uint8Array,
  serializer: Serializer,
  options: ValueOptions = {},
): unknown {
  try {
    return serializer.decode(bytes);
  } catch (error) {
    if (bytes[0] !== PICKLE_MARK) throw error;
    return readPickle(bytes, options);
  }
}
