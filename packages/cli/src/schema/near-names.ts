const MOST_SHOWN = 5;

/** The names that someone may have meant, nearest first: by letters, whatever their case. */
export function nearNames(word: string, names: readonly string[]): readonly string[] {
  const plain = simplify(word);
  const limit = Math.max(2, Math.floor(plain.length / 4));
  return names
    .map((name) => ({ name, distance: distanceOf(plain, simplify(name)) }))
    .filter(({ name, distance }) => distance <= limit || isWithin(plain, simplify(name)))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_SHOWN)
    .map(({ name }) => name);
}

function simplify(text: string): string {
  return text
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Of short words everything is a part of something. */
function isWithin(word: string, name: string): boolean {
  return word.length >= 4 && name.includes(word);
}

/** Letters to be put in, left out or exchanged (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, each] of [...other].entries()) {
      const exchanged = (row[at] ?? 0) + (letter === each ? 0 : 1);
      next.push(Math.min(exchanged, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
