import { MOST_LEVELS } from "../serializers/limits.ts";

/** Whether a JSON text is certain to be nested no deeper than allowed. */
export function nestingWithin(text: string): boolean {
  if (text.length <= 2 * MOST_LEVELS) return true; // each level takes two characters
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfText(text, at);
      if (at === -1) return true; // no JSON anyway
    } else if (code === 0x5b || code === 0x7b) {
      if (++level > MOST_LEVELS) return false;
    } else if (code === 0x5d || code === 0x7d) {
      level--;
    }
  }
  return true;
}

/** Where the quote stands that ends the text that begins with the quote at `start`; -1 for none. */
export function endOfText(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first--;
  return (at - first) % 2 === 1;
}
