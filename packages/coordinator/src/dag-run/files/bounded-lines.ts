import { type FileHandle, open } from "node:fs/promises";

/** How much a file of lines may take, in bytes. */
export interface LineLimits {
  readonly file: number;
  readonly line: number;
}

/** What may wait for the disk. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * A file of lines for its owner alone, made with its first line. It takes so much and no more: what
 * comes then is counted.
 */
export class BoundedLines {
  readonly path: string;
  readonly #limits: LineLimits;
  #waiting: string[] = [];
  #bytes = 0;
  #waitingBytes = 0;
  #lost = 0;
  #handle: FileHandle | undefined;
  #working: Promise<void> | undefined;
  #error: unknown;

  constructor(path: string, limits: LineLimits) {
    this.path = path;
    this.#limits = limits;
  }

  /** Whether so much waits for the disk that whoever writes should wait, too. */
  get isBehind(): boolean {
    return this.#waitingBytes > MAX_WAITING_BYTES;
  }

  /** Whether nothing was written. */
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** How many lines had no room. */
  get lost(): number {
    return this.#lost;
  }

  /** Takes a line without its end. False: there is no room. */
  add(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#error !== undefined || this.#bytes + bytes > this.#limits.file) {
      this.#lost += 1;
      return false;
    }
    this.#bytes += bytes;
    this.#waitingBytes += bytes;
    this.#waiting.push(line);
    this.#working ??= this.#work();
    return true;
  }

  /** Whether a line of so many characters may be too long. */
  isTooLong(line: string): boolean {
    return line.length > this.#limits.line;
  }

  /** Settles when everything taken so far is written. Never rejects: what is lost is counted. */
  async flush(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** A last line, whatever the limit, and the end. */
  async close(last?: string): Promise<void> {
    if (last !== undefined && this.#error === undefined) {
      this.#waiting.push(last);
      this.#working ??= this.#work();
    }
    await this.flush();
    await this.#handle?.close().catch(() => {});
    this.#handle = undefined;
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // many lines of one turn are one write
    try {
      this.#handle ??= await open(this.path, "a", 0o600);
      while (this.#waiting.length > 0) {
        const lines = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        await this.#handle.appendFile(`${lines.join("\n")}\n`);
      }
    } catch (error) {
      // A full disk, say: the task goes on without its file.
      this.#error = error;
      this.#lost += this.#waiting.length;
      this.#waiting = [];
    }
    this.#working = undefined;
  }
}
