/** The text with each half surrogate pair replaced by U+FFFD: the stock reader refuses them. */
export function wellFormed(text: string): string {
  return (text as { toWellFormed(): string } & string).toWellFormed(); // Node >= 20; not in lib es2023
}

/** At most `limit` code points, and well-formed. Costs no more than the text that is kept. */
export function cutCodePoints(text: string, limit: number): string {
  // A code point takes at most two UTF-16 units: nothing behind them can be kept.
  const head = text.slice(0, limit * 2);
  const points = Array.from(head);
  return wellFormed(points.length > limit ? points.slice(0, limit).join("") : head);
}

const LINE_BREAKERS = /[\x7f-\x9f\u2028\u2029]/g;

/**
 * The text as a JSON string that no reader splits: beside what JSON demands, the C1 controls (NEL
 * among them), U+2028 and U+2029 are escaped too, since some line readers break at them.
 */
export function jsonString(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    LINE_BREAKERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
