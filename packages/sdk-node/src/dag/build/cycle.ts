/**
 * A way along dependencies that ends where it begins.
 *
 * @param upstream - what comes directly before each task
 * @returns the tasks on it in the order of the run, the first one again at the end; undefined when there is none
 */
export function findCycle(
  upstream: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of upstream.keys()) {
    const way: string[] = [];
    const onWay = new Set<string>();
    const left: Iterator<string>[] = [];
    const enter = (id: string): void => {
      way.push(id);
      onWay.add(id);
      left.push((upstream.get(id) ?? []).values());
    };
    if (!done.has(start)) enter(start);
    while (way.length > 0) {
      const { value: next, done: isThrough } = left.at(-1)?.next() ?? { value: "", done: true };
      if (isThrough === true) {
        left.pop();
        const id = way.pop() as string;
        onWay.delete(id);
        done.add(id);
      } else if (onWay.has(next)) {
        return [...way.slice(way.indexOf(next)), next].reverse();
      } else if (!done.has(next)) {
        enter(next);
      }
    }
  }
  return undefined;
}
