const LONG_INTEGER = /\d{16}/;
/** An integer of JSON that may be too long for a number: not the digits of a fraction or an exponent. */
const LONG_INTEGER_TOKEN = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * `JSON.parse`, but an integer that a number would round comes as `{"$":"int","v":"<digits>"}`: what
 * reads or writes records later can treat all of it as JSON.
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseExactIntegers(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_INTEGER.test(text)) return value;

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
