/** Text that stands in Python's JSON as it is: printable ASCII but the quote and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;
const BEYOND = /[\x7f-\uffff]/g;

/** A text as Python's `json.dumps` writes it: ASCII only; 0x7f is escaped too, lone surrogates pass. */
export function quoteJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(BEYOND, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
