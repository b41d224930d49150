/** What stands between two `>>`: one name, or a list of them. */
export type Link = readonly string[];

/**
 * Edges as the fewest lines that read well: `a >> b >> c`, `a >> [b, c]`, `[a, b] >> c`.
 *
 * @param edges - in the order in which they should be told
 * @returns each a line of links, of which no two next to each other are lists
 */
export function chainsOf(
  edges: readonly (readonly [string, string])[],
): readonly (readonly Link[])[] {
  const [down, up] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const [from, to] of edges) {
    down.set(from, [...(down.get(from) ?? []), to]);
    up.set(to, [...(up.get(to) ?? []), from]);
  }
  const lines: (readonly [Link, Link])[] = [];
  const isJoined = (from: string) => {
    const [to, ...more] = down.get(from) ?? [];
    const all = to === undefined || more.length > 0 ? [] : (up.get(to) ?? []);
    return all.length > 1 && all.every((each) => down.get(each)?.length === 1);
  };
  for (const [from, ends] of down) {
    const [to = ""] = ends;
    if (!isJoined(from)) lines.push([[from], ends]);
    else if (up.get(to)?.[0] === from) lines.push([up.get(to) ?? [], ends]);
  }
  return joined(lines);
}

/** Lines of which one begins with what another ends with, as one. */
function joined(lines: readonly (readonly [Link, Link])[]): readonly (readonly Link[])[] {
  const key = (link: Link) => JSON.stringify([...link].sort());
  const byStart = new Map(lines.map((line) => [key(line[0]), line]));
  const following = new Map<readonly [Link, Link], readonly [Link, Link]>();
  const behind = new Set<readonly [Link, Link]>();
  for (const line of lines) {
    const next = byStart.get(key(line[1]));
    if (next === undefined || next === line || behind.has(next)) continue;
    if (line[1].length > 1 && next[1].length > 1) continue;
    following.set(line, next);
    behind.add(next);
  }
  return lines
    .filter((line) => !behind.has(line))
    .map((line) => {
      const links: Link[] = [...line];
      for (let next = following.get(line); next !== undefined; next = following.get(next)) {
        links.push(next[1]);
      }
      return links;
    });
}
