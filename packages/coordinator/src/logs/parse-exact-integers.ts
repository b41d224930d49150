/** An integer of JSON that may be too long for a number: not the digits of a fraction or an exponent. */
const LONG_INTEGER_TOKEN = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
/** Levels of lists and maps that are looked at; a stack has an end. */
const MAX_LOOKED_AT = 500;

/**
 * `JSON.parse`, but an integer that a number would round comes as `{"$":"int","v":"<digits>"}`: what
 * reads or writes records later can treat all of it as JSON.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseExactIntegers(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayHoldLongInteger(value, 0)) return value;

  let marked = "";
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const outsideEnd = quote === -1 ? text.length : quote;
    marked += text.slice(at, outsideEnd).replace(LONG_INTEGER_TOKEN, mark);
    at = quote === -1 ? text.length : endOfText(text, quote);
    marked += text.slice(outsideEnd, at);
  }
  return JSON.parse(marked);
}

/** Looking at the values is quicker than looking for digits in the text. */
function mayHoldLongInteger(value: unknown, depth: number): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_LOOKED_AT) return true;
  for (const key in value) {
    if (mayHoldLongInteger((value as { [key: string]: unknown })[key], depth + 1)) return true;
  }
  return false;
}

function mark(token: string): string {
  return Number.isSafeInteger(Number(token)) ? token : `{"$":"int","v":"${token}"}`;
}

/** The position behind the text that begins with the quote at `start`. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; ) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}
