/** What a formatter, an editor or a reader could not tell apart, or takes for the end of a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * A text as a Python string literal on one line, whatever is in it; the quotes are those that need
 * fewer escapes, the double ones if in doubt, as formatters have it.
 *
 * @throws RangeError for half a surrogate pair, which Python's own files can't hold
 */
export function textLiteral(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new RangeError("it has half a surrogate pair");
  const count = (quote: string) => text.split(quote).length;
  const quote = count('"') > count("'") ? "'" : '"';
  let literal = "";
  for (const character of text) literal += escaped(character, quote);
  return quote + literal + quote;
}

function escaped(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  if (!UNSEEN.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x100) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
