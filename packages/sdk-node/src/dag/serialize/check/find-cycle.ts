/**
 * A way along the arrows that comes back to where it began, its first task last again; undefined when
 * there is none. Arrows to what is no key are left out.
 */
export function findCycle(
  after: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of after.keys()) {
    if (done.has(start)) continue;
    // By hand: a chain of 10,000 tasks is deeper than the stack.
    const path: string[] = [start];
    const places = new Map([[start, 0]]);
    const rest = [[...(after.get(start) ?? [])]];
    while (path.length > 0) {
      const next = rest.at(-1)?.pop();
      if (next === undefined) {
        const last = path.pop() as string;
        rest.pop();
        places.delete(last);
        done.add(last);
      } else if (places.has(next)) {
        return [...path.slice(places.get(next)), next];
      } else if (!done.has(next) && after.has(next)) {
        places.set(next, path.length);
        path.push(next);
        rest.push([...(after.get(next) ?? [])]);
      }
    }
  }
  return undefined;
}
