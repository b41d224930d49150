import type { Extension } from "./extension.ts";
import type { Float } from "./float.ts";
import type { Timestamp } from "./timestamp.ts";

/**
 * What a decoded frame is made of.
 *
 * | on the wire | here |
 * |---|---|
 * | integer within ±(2^53-1), of any width | number |
 * | integer beyond | bigint |
 * | float32, float64 | number (with `wrapFloats`, a whole one is a `Float`) |
 * | str | string, always well-formed |
 * | bin | Uint8Array, a copy of its own |
 * | extension -1 | Timestamp |
 * | other extension | Extension |
 * | map, all keys text | plain object; `__proto__` is an own key like any other |
 * | map, other keys | Map |
 */
export type WireValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Timestamp
  | Float
  | Extension
  | readonly WireValue[]
  | ReadonlyMap<WireValue, WireValue>
  | WireMap;

/** A map whose keys are all text: own, enumerable keys. */
export interface WireMap {
  readonly [key: string]: WireValue;
}
