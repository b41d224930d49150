import type { KeyCache } from "./key-cache.ts";

/** How a payload is decoded, and what it may cost. */
export interface DecodeOptions {
  /**
   * Levels of arrays and maps, the frame's own array being the first.
   *
   * @default 1024
   */
  readonly maxDepth?: number;
  /**
   * Array items, map keys and map values in one payload, all levels together. Independently of
   * it, a count that the bytes at hand cannot fill is refused before anything is allocated.
   *
   * @default 16_777_216
   */
  readonly maxElements?: number;
  /**
   * Gives floats that are whole (`1.0`, `-0.0`, `1e300`) as `Float` instead of number, so that
   * they are floats again when encoded.
   *
   * @default false
   */
  readonly wrapFloats?: boolean;
  /**
   * `"map"` gives every map as a Map in the order of the wire. JavaScript moves keys that look
   * like array indices to the front of a plain object.
   *
   * @default "object"
   */
  readonly maps?: "object" | "map";
  /** Makes decoding of many frames with the same keys about 1.6 times as fast. */
  readonly keys?: KeyCache | undefined;
}

/** Deep enough for any real XCom, shallow enough for the stack. */
export const DEFAULT_MAX_DEPTH = 1024;

/**
 * Above any XCom that is reasonable. At the limit the costliest values (timestamps, maps with
 * keys that are not text) take 2 to 3 GiB, plain ones a tenth of that.
 */
export const DEFAULT_MAX_ELEMENTS: number = 2 ** 24;
