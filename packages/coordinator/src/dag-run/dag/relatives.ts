/** Ids of the tasks directly after each task. */
export type Edges = ReadonlyMap<string, readonly string[]>;

/** Ids of all tasks that can be reached from one, without it unless there is a cycle. */
export function reachable(from: string, edges: Edges): Set<string> {
  const found = new Set<string>();
  const waiting = [...(edges.get(from) ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(edges.get(id) ?? []));
  }
  return found;
}

/**
 * The ids in an order in which each comes after all that lead to it, ties as they were given.
 *
 * @returns undefined where there is a cycle
 */
export function topological(ids: readonly string[], edges: Edges): string[] | undefined {
  const open = new Map(ids.map((id) => [id, 0]));
  for (const id of ids)
    for (const next of edges.get(id) ?? []) open.set(next, (open.get(next) ?? 0) + 1);
  const place = new Map(ids.map((id, at) => [id, at]));
  let ready = ids.filter((id) => open.get(id) === 0);
  const sorted: string[] = [];
  while (ready.length > 0) {
    sorted.push(...ready);
    const next: string[] = [];
    for (const id of ready) {
      for (const after of edges.get(id) ?? []) {
        const left = (open.get(after) ?? 0) - 1;
        open.set(after, left);
        if (left === 0) next.push(after);
      }
    }
    ready = next.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
  }
  return sorted.length === ids.length ? sorted : undefined;
}
