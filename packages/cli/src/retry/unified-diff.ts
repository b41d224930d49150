const CONTEXT = 3;

/**
 * A unified diff of two texts with the same number of lines, in bytes, so that `patch` takes it
 * whatever the encoding. Lines end at line feeds, as `patch` has it; a carriage return is text.
 *
 * @param name - goes into both headers
 * @returns the lines of the diff, each with its line end, in latin1: one character a byte
 */
export function unifiedDiff(
  name: string,
  before: Uint8Array,
  after: Uint8Array,
): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length !== now.length) throw new RangeError("the number of lines differs");
  const changed = old.flatMap((line, at) => (line === now[at] ? [] : [at]));
  const header = Buffer.from(name).toString("latin1");
  const hunks = group(changed, old.length).flatMap((hunk) => hunkLines(hunk, old, now));
  return changed.length === 0 ? [] : [`--- ${header}\n`, `+++ ${header}\n`, ...hunks];
}

/** From the first line on, without the last. */
interface Hunk {
  readonly from: number;
  readonly to: number;
}

function group(changed: readonly number[], length: number): readonly Hunk[] {
  const hunks: { from: number; to: number }[] = [];
  for (const at of changed) {
    const to = Math.min(length, at + 1 + CONTEXT);
    const last = hunks.at(-1);
    if (last !== undefined && at - CONTEXT <= last.to) last.to = to;
    else hunks.push({ from: Math.max(0, at - CONTEXT), to });
  }
  return hunks;
}

function hunkLines({ from, to }: Hunk, old: readonly string[], now: readonly string[]): string[] {
  const span = `${from + 1},${to - from}`;
  const lines = [`@@ -${span} +${span} @@\n`];
  let at = from;
  while (at < to) {
    const start = at;
    while (at < to && old[at] !== now[at]) at++;
    for (let each = start; each < at; each++) lines.push(...marked("-", old[each] ?? ""));
    for (let each = start; each < at; each++) lines.push(...marked("+", now[each] ?? ""));
    if (at < to) lines.push(...marked(" ", old[at] ?? ""));
    at++;
  }
  return lines;
}

function marked(mark: string, line: string): string[] {
  if (line.endsWith("\n")) return [mark + line];
  return [`${mark}${line}\n`, "\\ No newline at end of file\n"];
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return (
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[^\n]*\n|[^\n]+$/g) ?? []
  );
}
