import { markKind } from "./python-kind.ts";

/**
 * A Python `tuple`: an array that remembers it, so that it is written back as one. What its methods
 * make of it (`map`, `slice`, …) are plain arrays.
 *
 * Make one with `Tuple.of(1, "a")`; `new Tuple(3)` would have three empty places, as with Array.
 */
export class Tuple<Item = unknown> extends Array<Item> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static override of<Items extends unknown[]>(...items: Items): Tuple<Items[number]> {
    return Tuple.from(items) as Tuple<Items[number]>;
  }
}

/** A Python `frozenset`: a Set that remembers it, so that it is written back as one. */
export class FrozenSet<Item = unknown> extends Set<Item> {}

markKind(Tuple.prototype, "tuple");
markKind(FrozenSet.prototype, "frozenset");
