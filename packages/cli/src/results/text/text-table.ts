import { type CommandIo, write } from "../../io.ts";
import { colorsFor } from "../../run/terminal-observer.ts";

/** Rows that the widths of the columns are taken from; the others are printed as they come. */
const SAMPLE_ROWS = 200;

/** Cuts nothing where the output is no terminal: whoever filters it wants whole ids. */
export class TextTable {
  readonly #heads: readonly string[];
  readonly #io: CommandIo;
  readonly #maxWidth: number;
  #sample: (readonly string[])[] = [];
  #widths: readonly number[] | undefined;
  #isClosed = false;

  constructor(heads: readonly string[], io: CommandIo) {
    const { isTTY, columns } = io.stdout as NodeJS.WriteStream;
    this.#heads = heads;
    this.#io = io;
    this.#maxWidth = isTTY === true && columns > 0 ? columns : Number.POSITIVE_INFINITY;
  }

  /** The reader has gone. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes a row, of texts without control characters. */
  async add(row: readonly string[]): Promise<void> {
    if (this.#widths !== undefined) return this.#print([row], this.#widths);
    this.#sample.push(row);
    if (this.#sample.length === SAMPLE_ROWS) await this.end();
  }

  /** Prints what waits. */
  async end(): Promise<void> {
    if (this.#widths !== undefined) return;
    const all = [this.#heads, ...this.#sample];
    this.#widths = this.#heads.map((_, at) => Math.max(...all.map((row) => lengthOf(row[at]))));
    const { dim } = colorsFor(this.#io.stdout, this.#io.env);
    await this.#write(`${dim(this.#line(this.#heads, this.#widths))}\n`);
    await this.#print(this.#sample, this.#widths);
    this.#sample = [];
  }

  async #print(rows: readonly (readonly string[])[], widths: readonly number[]): Promise<void> {
    await this.#write(rows.map((row) => `${this.#line(row, widths)}\n`).join(""));
  }

  #line(row: readonly string[], widths: readonly number[]): string {
    const cells = row.map(
      (cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(cell))),
    );
    const line = cells.join("  ").trimEnd();
    if (lengthOf(line) <= this.#maxWidth) return line;
    return `${[...line].slice(0, this.#maxWidth - 1).join("")}…`;
  }

  async #write(text: string): Promise<void> {
    if (text !== "" && !(await write(this.#io.stdout, text))) this.#isClosed = true;
  }
}

/** In code points: an astral character takes one place. */
function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : [...text].length;
}
