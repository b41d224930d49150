const CONTEXT = 3;

/** One line of the longest way from one text to the other. */
interface Step {
  readonly mark: " " | "-" | "+";
  readonly line: string;
}

/**
 * A unified diff of two texts.
 *
 * @param names - of the old and the new one, for the headers
 * @returns the lines, without line ends; none where the texts are the same
 */
export function lineDiff(
  before: string,
  after: string,
  names: readonly [string, string],
): readonly string[] {
  const steps = stepsOf(before.split("\n"), after.split("\n"));
  const changed = steps.flatMap(({ mark }, at) => (mark === " " ? [] : [at]));
  if (changed.length === 0) return [];
  const lines = [`--- ${names[0]}`, `+++ ${names[1]}`];
  let [old, now, at] = [1, 1, 0];
  for (const [from, to] of hunks(changed, steps.length)) {
    for (; at < from; at++) [old, now] = [old + 1, now + 1]; // all kept: no hunk has them
    const hunk = steps.slice(from, to);
    const [was, is] = [
      hunk.filter(({ mark }) => mark !== "+"),
      hunk.filter(({ mark }) => mark !== "-"),
    ];
    lines.push(`@@ -${span(old, was.length)} +${span(now, is.length)} @@`);
    lines.push(...hunk.map(({ mark, line }) => mark + line));
    [old, now, at] = [old + was.length, now + is.length, to];
  }
  return lines;
}

function span(start: number, length: number): string {
  return `${length === 0 ? start - 1 : start},${length}`;
}

function hunks(changed: readonly number[], length: number): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const at of changed) {
    const to = Math.min(length, at + 1 + CONTEXT);
    const last = found.at(-1);
    if (last !== undefined && at - CONTEXT <= last[1]) last[1] = to;
    else found.push([Math.max(0, at - CONTEXT), to]);
  }
  return found;
}

/** The shortest way between two lists of lines (Myers' greedy search), with what they share at both ends cut off. */
function stepsOf(old: readonly string[], now: readonly string[]): readonly Step[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const kept = (lines: readonly string[]) => lines.map((line): Step => ({ mark: " ", line }));
  const middle = search(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [...kept(old.slice(0, head)), ...middle, ...kept(tail === 0 ? [] : old.slice(-tail))];
}

function search(old: readonly string[], now: readonly string[]): readonly Step[] {
  const [n, m] = [old.length, now.length];
  const far = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= n + m; d++) {
    trace.push(new Map(far));
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(far, k, d) ? (far.get(k + 1) ?? 0) : (far.get(k - 1) ?? 0) + 1;
      while (x < n && x - k < m && old[x] === now[x - k]) x++;
      far.set(k, x);
      if (x >= n && x - k >= m) return walkBack(trace, old, now);
    }
  }
  return [];
}

function isDown(far: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (far.get(k - 1) ?? -1) < (far.get(k + 1) ?? -1));
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  now: readonly string[],
): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [old.length, now.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const far = trace[d] as ReadonlyMap<number, number>;
    const k = x - y;
    const before = isDown(far, k, d) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (far.get(before) ?? 0);
    const fromY = d === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      [x, y] = [x - 1, y - 1];
      steps.push({ mark: " ", line: old[x] ?? "" });
    }
    if (d === 0) break;
    if (x > fromX) steps.push({ mark: "-", line: old[--x] ?? "" });
    else steps.push({ mark: "+", line: now[--y] ?? "" });
  }
  return steps.reverse();
}
