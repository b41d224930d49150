// Text as Python's float() and int() read it: surrounded by white space, with single underscores
// between digits, in the decimal digits of any script.

// Not JavaScript's \\s: without U+FEFF, with U+0085.
const SPACE = "[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*";
const DIGITS = "[0-9](?:_?[0-9])*";
const FLOAT = new RegExp(
  `^${SPACE}([+-]?)(?:(${DIGITS}\\.?(?:${DIGITS})?(?:e[+-]?${DIGITS})?|\\.${DIGITS}(?:e[+-]?${DIGITS})?)|(inf(?:inity)?)|(nan))${SPACE}$`,
  "i",
);
const INTEGER = new RegExp(`^${SPACE}([+-]?)(${DIGITS})${SPACE}$`);

/** The double that Python's `float(text)` gives; undefined where it raises ValueError. */
export function pythonFloat(text: string): number | undefined {
  const found = FLOAT.exec(latinDigits(text));
  if (found === null) return undefined;
  const [, sign, digits, infinite] = found;
  if (digits === undefined && infinite === undefined) return Number.NaN;
  const size = digits === undefined ? Number.POSITIVE_INFINITY : Number(digits.replaceAll("_", ""));
  return sign === "-" ? -size : size;
}

/** The whole number that Python's `int(text)` gives; undefined where it raises ValueError. */
export function pythonInt(text: string): bigint | undefined {
  const [, sign, digits] = INTEGER.exec(latinDigits(text)) ?? [];
  if (digits === undefined || digits.length > 4300) return undefined; // Python's own limit
  const size = BigInt(digits.replaceAll("_", ""));
  return sign === "-" ? -size : size;
}

/** Digits of other scripts stand in rows of ten from their zero on. */
function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value % 10);
  });
}
