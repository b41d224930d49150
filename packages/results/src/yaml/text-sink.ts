/** Width beyond which PyYAML breaks a scalar at its next space. */
const BEST_WIDTH = 80;
const STEP = 2;

/**
 * Collects the text of a document in block style and keeps what PyYAML's emitter keeps to decide
 * about spaces and line breaks: column, indentation, whether white space or only indentation and
 * indicators stand before.
 */
export class TextSink {
  /** Whether a document mark must end the text, as behind a lone plain scalar. */
  isOpenEnded = false;
  #text = "";
  #column = 0;
  #indent = -1;
  #hasSpace = true;
  #isAtStart = true;
  readonly #indents: number[] = [];

  get text(): string {
    return this.#text;
  }

  /** Whether the line holds nothing yet but indentation and `-`, `?`, `:` of outer nodes. */
  get isAtStart(): boolean {
    return this.#isAtStart;
  }

  get isOverWide(): boolean {
    return this.#column > BEST_WIDTH;
  }

  /** Whether the line would be too wide with so many characters more. */
  isTooWide(more: number): boolean {
    return this.#column + more > BEST_WIDTH;
  }

  /** Goes one level in; `step` 0 keeps the column, as for a list inside a map. */
  enter(step: 0 | 2 = STEP): void {
    this.#indents.push(this.#indent);
    this.#indent = this.#indent < 0 ? 0 : this.#indent + step;
  }

  /** The level of a scalar's continuation lines. */
  enterScalar(): void {
    this.#indents.push(this.#indent);
    this.#indent = Math.max(this.#indent, 0) + STEP;
  }

  leave(): void {
    this.#indent = this.#indents.pop() ?? -1;
  }

  indicator(mark: string, needsSpace: boolean, opensEntry = false): void {
    this.put(needsSpace && !this.#hasSpace ? ` ${mark}` : mark);
    this.#isAtStart &&= opensEntry;
    this.isOpenEnded = false;
  }

  /** Text that is no indicator: it ends white space but not the start of a line. */
  put(text: string, length: number = text.length): void {
    this.#text += text;
    this.#column += length;
    this.#hasSpace = false;
  }

  /** Plain text begins: a space before it where there is none. */
  beginPlain(): void {
    if (!this.#hasSpace) this.put(" ");
    this.#hasSpace = false;
    this.#isAtStart = false;
  }

  /** A scalar goes on after a break of the line. */
  continueScalar(): void {
    this.newLine();
    this.#hasSpace = false;
    this.#isAtStart = false;
  }

  lineBreak(): void {
    this.#text += "\n";
    this.#column = 0;
    this.#hasSpace = true;
    this.#isAtStart = true;
  }

  /** To the indentation of the level, on a new line unless this one has only got so far. */
  newLine(): void {
    const indent = Math.max(this.#indent, 0);
    const isThere = this.#column < indent || (this.#column === indent && this.#hasSpace);
    if (!this.#isAtStart || !isThere) this.lineBreak();
    if (this.#column >= indent) return;
    this.#text += " ".repeat(indent - this.#column);
    this.#column = indent;
    this.#hasSpace = true;
  }
}
