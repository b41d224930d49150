import { createJsonSerializer } from "../json/json-serializer.ts";
import { SerializerError } from "./serializer-error.ts";
import type { ValueOptions } from "./value-options.ts";

/** Celery's names of the serializers that are written here. Pickle is never written. */
export type SerializerName = "json" | "yaml" | "msgpack";

/** Turns values into the bytes of a column and back. Holds no state; share it freely. */
export interface Serializer {
  readonly name: SerializerName;
  /**
   * @throws SerializerError `cannot-encode`, with the path of what can't be written; nothing is
   *   dropped or converted in silence but `undefined` (see the README's table)
   */
  encode(value: unknown): Uint8Array;
  /** @throws SerializerError `cannot-decode` for bytes that the serializer can't read */
  decode(bytes: Uint8Array): unknown;
}

/**
 * A serializer whose bytes are those of Celery 5.7.0's serializer of that name. A promise, since what
 * it needs is loaded when it is asked for: reading YAML takes as long to load as all the rest.
 *
 * @throws SerializerError `unknown-serializer` for any other name
 */
export async function createSerializer(
  name: SerializerName,
  options: ValueOptions = {},
): Promise<Serializer> {
  switch (name) {
    case "json":
      return createJsonSerializer(options);
    case "msgpack":
      return (await import("../msgpack/msgpack-serializer.ts")).createMsgpackSerializer(options);
    case "yaml":
      return (await import("../yaml/yaml-serializer.ts")).createYamlSerializer(options);
    default:
      throw new SerializerError(
        "unknown-serializer",
        `createSerializer(${JSON.stringify(name)}): expected json, yaml or msgpack.`,
      );
  }
}
