import { endOfText } from "./json-text.ts";

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
  if (Array.isArray(value)) return value.some((item) => mayHoldLongInteger(item, depth + 1));
  for (const key in value) {
    if (mayHoldLongInteger((value as { [key: string]: unknown })[key], depth + 1)) return true;
  }
  return false;
}

function mark(token: string): string {
  return Number.isSafeInteger(Number(token)) ? token : `{"$":"int","v":"${token}"}`;
}
