/** Lines joined into one write; small enough that a crash right after loses little. */
const BATCH_CHARACTERS = 64 * 1024;

/** Lines that travel together. */
export interface LineBatch {
  /** UTF-8; empty once it has been written. */
  bytes: Buffer;
  readonly lines: number;
}

/**
 * Lines that wait, in order. All but the last few are kept as bytes outside of JavaScript's heap,
 * so that what they take in memory is what is counted.
 */
export class LineQueue {
  #batches: LineBatch[] = [];
  #first = 0; // index in #batches of the oldest that waits
  #open: string[] = []; // lines since the last full batch
  #openCharacters = 0;
  #bytes = 0; // of the batches that wait

  /** Bytes that wait; of the latest lines, their characters. */
  get size(): number {
    return this.#bytes + this.#openCharacters;
  }

  get isEmpty(): boolean {
    return this.#first === this.#batches.length && this.#open.length === 0;
  }

  /** Adds a line with its line end. @returns whether a batch is full now */
  add(line: string): boolean {
    this.#open.push(line);
    this.#openCharacters += line.length;
    if (this.#openCharacters < BATCH_CHARACTERS) return false;
    this.#close();
    return true;
  }

  /** Takes the oldest batch out, or undefined when nothing waits. */
  take(): LineBatch | undefined {
    if (this.#first === this.#batches.length) this.#close();
    const batch = this.#batches[this.#first];
    if (batch === undefined) return undefined;
    this.#first += 1;
    this.#bytes -= batch.bytes.length;
    if (this.#first === this.#batches.length || this.#first > 1000) {
      this.#batches = this.#batches.slice(this.#first);
      this.#first = 0;
    }
    return batch;
  }

  /** Puts batches that were taken before back, in front of what waits. */
  putBack(batches: readonly LineBatch[]): void {
    this.#batches = [...batches, ...this.#batches.slice(this.#first)];
    this.#first = 0;
    for (const { bytes } of batches) this.#bytes += bytes.length;
  }

  #close(): void {
    if (this.#open.length === 0) return;
    const batch = { bytes: Buffer.from(this.#open.join("")), lines: this.#open.length };
    this.#batches.push(batch);
    this.#bytes += batch.bytes.length;
    this.#open = [];
    this.#openCharacters = 0;
  }
}
