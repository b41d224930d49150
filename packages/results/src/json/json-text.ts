/** Text that stands in Python's JSON as it is: printable ASCII but the quote and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;
const BEYOND = /[\x7f-\uffff]/g;

/** A text as Python's `json.dumps` writes it: ASCII only; 0x7f is escaped too, lone surrogates pass. */
export function quoteJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(BEYOND, escapeUnit);
}

const MOST_KEPT = 500;
const MOST_KEPT_LENGTH = 40;
const kept = new Map<string, string>();

/** A key with its colon. Results repeat their keys, so short ones are kept; the memory is bounded. */
export function jsonKey(key: string): string {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = `${quoteJson(key)}: `;
  if (key.length <= MOST_KEPT_LENGTH) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, text);
  }
  return text;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
