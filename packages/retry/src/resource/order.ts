/** What tasks are sorted by; null comes last upwards and first downwards. */
export type SortKey = string | number | bigint | boolean | null;

/**
 * Sorts as Python's `sorted` does: ties keep their order, also downwards, text goes by code point.
 *
 * @param keyOf - gives keys of one type, or null
 */
export function sortByKey<T>(
  items: readonly T[],
  keyOf: (item: T) => SortKey,
  direction: "up" | "down",
): T[] {
  const entries = items.map((item) => ({ item, key: keyOf(item) }));
  if (direction === "down") entries.reverse();
  const hasNaN = entries.some(({ key }) => Number.isNaN(key));
  // With NaN there is no order, and what comes out depends on who is compared with whom.
  if (hasNaN) binaryInsertion(entries, (a, b) => isLess(a.key, b.key));
  else entries.sort((a, b) => (isLess(a.key, b.key) ? -1 : isLess(b.key, a.key) ? 1 : 0));
  if (direction === "down") entries.reverse();
  return entries.map(({ item }) => item);
}

function isLess(a: SortKey, b: SortKey): boolean {
  if (a === null) return false;
  if (b === null) return true;
  if (typeof a === "string" && typeof b === "string") return isBefore(a, b);
  return a < b;
}

/** By code point. JavaScript's own order puts U+E000 to U+FFFF after all that lies above them. */
function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return codePointRank(left) < codePointRank(right);
  }
  return a.length < b.length;
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** Python's comparisons for a list of less than 64: one run as far as it goes, then insertions. */
function binaryInsertion<T>(items: T[], less: (a: T, b: T) => boolean): void {
  for (let at = firstRun(items, less); at < items.length; at++) {
    const item = items[at] as T;
    let low = 0;
    let high = at;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (less(item, items[middle] as T)) high = middle;
      else low = middle + 1;
    }
    items.copyWithin(low + 1, low, at);
    items[low] = item;
  }
}

/** The length of the run at the start; one that goes down is turned round. */
function firstRun<T>(items: T[], less: (a: T, b: T) => boolean): number {
  if (items.length < 2) return items.length;
  const goesDown = less(items[1] as T, items[0] as T);
  let end = 2;
  while (end < items.length && less(items[end] as T, items[end - 1] as T) === goesDown) end++;
  if (goesDown) items.splice(0, end, ...items.slice(0, end).reverse());
  return end;
}
