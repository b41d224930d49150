/** What `peek` gives behind the end of the text; it can't stand in the text itself. */
export const END = "\0";

/**
 * A place in YAML text whose line ends are `\n`, U+2028 or U+2029: those are what YAML 1.1 knows
 * (the others are made `\n` before), and the last two stay in folded text as they are.
 */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? END;
  }

  /** Moves on, over characters that are no line ends. */
  skip(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** Takes as many of the next characters as a sticky pattern matches, which are no line ends. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.text)?.[0] ?? "";
    this.skip(text.length);
    return text;
  }

  /** Takes a line end, or nothing. */
  takeBreak(): string {
    const next = this.peek();
    if (!isBreak(next)) return "";
    this.at++;
    this.line++;
    this.column = 0;
    return next;
  }

  /** `---` or `...` with nothing or a space behind it; ends a document at a line's start. */
  atDocumentMark(mark?: "---" | "..."): boolean {
    const three = this.text.slice(this.at, this.at + 3);
    if (three !== (mark ?? three) || (three !== "---" && three !== "...")) return false;
    return isBlank(this.peek(3));
  }
}

/** A line end that {@link Cursor.takeBreak} takes. */
export function isBreak(character: string): boolean {
  return character === "\n" || character === "\u2028" || character === "\u2029";
}

/** A space, a tab, a line end or the end. */
export function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === END || isBreak(character);
}

/** A space, a line end or the end; where YAML 1.1 allows no tab. */
export function isSpaceOrEnd(character: string): boolean {
  return character !== "\t" && isBlank(character);
}
