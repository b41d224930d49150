/** A few names tell what is wrong; a body with a million of them must not make a million faults. */
const MAX_NAMED = 8;

/** Keys of `map` that are not in `known`, at most eight; undefined values count as left out. */
export function unknownFields(
  map: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): readonly string[] {
  const found: string[] = [];
  for (const key of Object.keys(map)) {
    if (known.has(key) || map[key] === undefined) continue;
    found.push(key);
    if (found.length === MAX_NAMED) break;
  }
  return found;
}
