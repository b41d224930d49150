import { type Cursor, END, isBlank, isBreak, isSpaceOrEnd } from "./cursor.ts";
import { yamlError } from "./yaml-error.ts";

const SPACES = / */y;
const BLANKS = /[ \t]*/y;
const REST_OF_LINE = /[^\n\u2028\u2029]*/y;

/** Skips spaces and a comment up to the end of the line. @throws BundleError for anything else */
export function skipRestOfLine(cursor: Cursor): void {
  cursor.take(SPACES);
  if (cursor.peek() === "#") cursor.take(REST_OF_LINE);
  if (cursor.peek() !== END && !isBreak(cursor.peek())) {
    throw yamlError("only a comment may stand here", cursor.line);
  }
  cursor.takeBreak();
}

/** Folds one line end and the empty lines behind it: a single line feed becomes a space. */
function fold(lineBreak: string, empty: string): string {
  if (lineBreak !== "\n") return lineBreak + empty;
  return empty === "" ? " " : empty;
}

/**
 * Unquoted text, over several lines where they are indented enough.
 *
 * @param indent - of the block that holds it
 * @param isInFlow - inside of `[]` or `{}`
 */
export function scanPlain(
  cursor: Cursor,
  indent: number,
  isInFlow: boolean,
): { readonly text: string; readonly endsOnNewLine: boolean } {
  let text = "";
  let spaces = "";
  let endsOnNewLine = false;
  while (cursor.peek() !== "#") {
    const length = plainLength(cursor, isInFlow);
    if (length === 0) break;
    text += spaces + cursor.text.slice(cursor.at, cursor.at + length);
    cursor.skip(length);
    const line = cursor.line;
    spaces = scanPlainSpaces(cursor);
    endsOnNewLine = cursor.line !== line;
    if (spaces === "" || (!isInFlow && cursor.column <= indent)) break;
  }
  return { text, endsOnNewLine };
}

function plainLength(cursor: Cursor, isInFlow: boolean): number {
  for (let length = 0; ; length++) {
    const next = cursor.peek(length);
    if (isBlank(next) || (isInFlow && ",?[]{}".includes(next))) return length;
    if (next !== ":") continue;
    const after = cursor.peek(length + 1);
    if (isBlank(after) || (isInFlow && ",[]{}".includes(after))) return length;
  }
}

/** Empty where a document mark follows; the text is over then. */
function scanPlainSpaces(cursor: Cursor): string {
  const spaces = cursor.take(SPACES);
  const lineBreak = cursor.takeBreak();
  if (lineBreak === "") return spaces;
  if (cursor.atDocumentMark()) return "";
  let empty = "";
  while (cursor.peek() === " " || isBreak(cursor.peek())) {
    if (cursor.take(SPACES) !== "") continue;
    empty += cursor.takeBreak();
    if (cursor.atDocumentMark()) return "";
  }
  return fold(lineBreak, empty);
}

const QUOTED_RUN = /[^'"\\ \t\n\u2028\u2029]*/y;
const HEX_LENGTHS: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };
const ESCAPES: { readonly [letter: string]: string } = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "\\": "\\",
  "/": "/",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

/** Text in quotes, from the opening one on. */
export function scanQuoted(cursor: Cursor): {
  readonly text: string;
  readonly hasSurrogateEscape: boolean;
} {
  const quote = cursor.peek();
  const startLine = cursor.line;
  const parts: string[] = [];
  let hasSurrogateEscape = false;
  cursor.skip();
  for (;;) {
    parts.push(cursor.take(QUOTED_RUN));
    const next = cursor.peek();
    if (next === END) throw yamlError("a quote is not closed", startLine);
    if (next === quote) {
      if (quote === '"' || cursor.peek(1) !== "'") break;
      parts.push("'");
      cursor.skip(2);
    } else if (next === "\\" && quote === '"') {
      const escaped = scanEscape(cursor);
      hasSurrogateEscape ||= /^[\ud800-\udfff]$/.test(escaped);
      parts.push(escaped);
    } else if (isBlank(next)) {
      parts.push(scanQuotedSpaces(cursor));
    } else {
      parts.push(next);
      cursor.skip();
    }
  }
  cursor.skip();
  return { text: parts.join(""), hasSurrogateEscape };
}

function scanQuotedSpaces(cursor: Cursor): string {
  const spaces = cursor.take(BLANKS);
  const lineBreak = cursor.takeBreak();
  return lineBreak === "" ? spaces : fold(lineBreak, scanQuotedBreaks(cursor));
}

function scanQuotedBreaks(cursor: Cursor): string {
  let empty = "";
  for (;;) {
    if (cursor.atDocumentMark()) throw yamlError("a document ends inside of quotes", cursor.line);
    cursor.take(BLANKS);
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") return empty;
    empty += lineBreak;
  }
}

function scanEscape(cursor: Cursor): string {
  cursor.skip();
  const letter = cursor.peek();
  if (isBreak(letter)) {
    cursor.takeBreak();
    return scanQuotedBreaks(cursor);
  }
  const known = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (known !== undefined) {
    cursor.skip();
    return known;
  }
  const length = Object.hasOwn(HEX_LENGTHS, letter) ? (HEX_LENGTHS[letter] ?? 0) : 0;
  const digits = cursor.text.slice(cursor.at + 1, cursor.at + 1 + length);
  const code = Number.parseInt(digits, 16);
  if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits) || code > 0x10ffff) {
    throw yamlError("a backslash starts no escape that YAML knows", cursor.line);
  }
  cursor.skip(1 + length);
  return String.fromCodePoint(code);
}

/**
 * Block text, from its `|` or `>` on.
 *
 * @param indent - of the block that holds it
 */
export function scanBlock(cursor: Cursor, indent: number): string {
  const isFolded = cursor.peek() === ">";
  cursor.skip();
  const { chomping, increment } = scanBlockHeader(cursor);
  const least = Math.max(1, indent + 1);
  let empty = "";
  let inner: number;
  if (increment === undefined) {
    const found = scanIndentation(cursor);
    empty = found.empty;
    inner = Math.max(least, found.widest);
  } else {
    inner = least + increment - 1;
    empty = scanBlockBreaks(cursor, inner);
  }
  const parts: string[] = [];
  let lineBreak = "";
  while (cursor.column === inner && cursor.peek() !== END) {
    parts.push(empty);
    const isText = !isIndented(cursor);
    parts.push(cursor.take(REST_OF_LINE));
    lineBreak = cursor.takeBreak();
    empty = scanBlockBreaks(cursor, inner);
    if (cursor.column !== inner || cursor.peek() === END) break;
    const folds = isFolded && lineBreak === "\n" && isText && !isIndented(cursor);
    if (!folds) parts.push(lineBreak);
    else if (empty === "") parts.push(" ");
  }
  if (chomping !== "-") parts.push(lineBreak);
  if (chomping === "+") parts.push(empty);
  return parts.join("");
}

function isIndented(cursor: Cursor): boolean {
  return cursor.peek() === " " || cursor.peek() === "\t";
}

function scanBlockHeader(cursor: Cursor): { chomping: string; increment: number | undefined } {
  const [, sign = "", digit = "", lateSign = ""] =
    /^([-+]?)([1-9]?)([-+]?)/.exec(cursor.text.slice(cursor.at, cursor.at + 3)) ?? [];
  const chomping = sign || (digit === "" ? "" : lateSign);
  cursor.skip(sign.length + digit.length + (sign === "" && digit !== "" ? lateSign.length : 0));
  if (!isSpaceOrEnd(cursor.peek())) {
    throw yamlError("block text has an indicator that YAML does not know", cursor.line);
  }
  skipRestOfLine(cursor);
  return { chomping, increment: digit === "" ? undefined : Number(digit) };
}

function scanIndentation(cursor: Cursor): { readonly empty: string; readonly widest: number } {
  let empty = "";
  let widest = 0;
  while (cursor.peek() === " " || isBreak(cursor.peek())) {
    if (cursor.take(SPACES) === "") empty += cursor.takeBreak();
    else widest = Math.max(widest, cursor.column);
  }
  return { empty, widest };
}

function scanBlockBreaks(cursor: Cursor, inner: number): string {
  let empty = "";
  for (;;) {
    while (cursor.column < inner && cursor.peek() === " ") cursor.skip();
    const lineBreak = cursor.takeBreak();
    if (lineBreak === "") return empty;
    empty += lineBreak;
  }
}
