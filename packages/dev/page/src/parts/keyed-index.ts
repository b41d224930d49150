/** Where a key leads in a list of `count`; undefined where it is no key of a list. */
export function keyedIndex(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  from: number,
  count: number,
  page: number,
): number | undefined {
  if (count === 0 || ctrlKey || metaKey || altKey) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from < 0 ? count - 1 : from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = steps[key];
  return target === undefined ? undefined : Math.min(count - 1, Math.max(0, target));
}
