// `trim` differs by four control characters, U+0085 and U+FEFF.
const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/** Python's `str.strip()`. */
export function strip(text: string): string {
  return text.replace(AROUND, "");
}

/** Python's `int(text)`, of ASCII digits; undefined where that raises. */
export function readInteger(text: string): number | undefined {
  const digits = strip(text);
  return /^[+-]?[0-9]+(?:_[0-9]+)*$/.test(digits) ? Number(digits.replaceAll("_", "")) : undefined;
}
