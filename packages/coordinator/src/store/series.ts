import { StoreError, type XComSlice } from "./task-store.ts";

/** The positions, in order, that Python's `list[start:stop:step]` takes out of a list of `length`. */
export function slicePositions(length: number, slice: XComSlice): number[] {
  const step = slice.step ?? 1;
  if (step === 0) throw new StoreError("bad-value", "a slice with step 0 has no items");
  const low = step > 0 ? 0 : -1;
  const high = step > 0 ? length : length - 1;
  const bound = (value: number | null, open: number): number => {
    if (value === null) return open;
    const absolute = value < 0 ? value + length : value;
    return Math.min(Math.max(absolute, low), high);
  };
  const start = bound(slice.start, step > 0 ? low : high);
  const stop = bound(slice.stop, step > 0 ? high : low);
  const positions: number[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) positions.push(at);
  return positions;
}

/** Code point order, which is the order of UTF-8 bytes: JavaScript's own differs beyond U+FFFF. */
export function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** Refuses what a database would cut at the first U+0000. */
export function checkKeys(call: string, keys: readonly string[]): void {
  const bad = keys.find((key) => key.includes("\0"));
  if (bad !== undefined) {
    throw new StoreError(
      "bad-key",
      `${call} was given ${JSON.stringify(bad)}: keys and ids can't hold U+0000`,
    );
  }
}
