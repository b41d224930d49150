/**
 * Whether JSON text holds more lists, maps and further items in them than `limit`. Of a text that is
 * no JSON the answer says nothing.
 */
export function hasMoreValues(text: string, limit: number): boolean {
  if (text.length <= limit) return false; // each takes a character
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; ) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x2c || unit === 0x5b || unit === 0x7b) count += 1; // , [ {
    }
    if (quote !== -1) at = endOfText(text, quote);
  }
  return count > limit;
}

/** The position behind the JSON string that begins with the quote at `start`. */
export function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; ) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}
