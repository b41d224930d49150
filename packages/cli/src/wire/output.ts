import { type CommandIo, write } from "../io.ts";

const WRITE_BYTES = 65_536;

/** Gathers small pieces of output into writes of a decent size, and waits while the reader is slow. */
export class Output {
  readonly #stdout: NodeJS.WritableStream;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #failed = false;

  constructor(io: CommandIo) {
    this.#stdout = io.stdout;
  }

  /** The reader has gone: nothing more needs to be made. */
  get isClosed(): boolean {
    return this.#failed || !this.#stdout.writable;
  }

  /** Takes a piece; its bytes must not be changed afterwards. */
  add(piece: string | Uint8Array): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.#pieces.push(bytes);
    this.#length += bytes.byteLength;
  }

  /** Writes when enough has come together. */
  async offer(): Promise<void> {
    if (this.#length >= WRITE_BYTES) await this.flush();
  }

  /** Writes all that was taken. */
  async flush(): Promise<void> {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    let small: Uint8Array[] = [];
    for (const piece of pieces) {
      if (piece.byteLength < WRITE_BYTES) {
        small.push(piece);
        continue;
      }
      await this.#write(Buffer.concat(small));
      small = [];
      await this.#write(piece);
    }
    await this.#write(Buffer.concat(small));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength === 0 || this.isClosed) return;
    this.#failed = !(await write(this.#stdout, bytes));
  }
}
