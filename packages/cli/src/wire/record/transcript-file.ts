import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { lstat, unlink } from "node:fs/promises";

/** More than this waiting for the disk is a reason to let the link wait, in bytes. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * A file that entries are written to, one a line, readable for its owner alone. A file of that name
 * that exists is replaced by another one, so that two recordings never write into one; a pipe or a
 * device is written to as it is. What can't be written is given up, and told once.
 */
export class TranscriptFile {
  readonly #onError: (error: Error) => void;
  #stream: WriteStream | undefined;
  #early: string[] | undefined = [];
  #earlyCharacters = 0;
  #failed = false;

  /** @param onError - told of the first failure */
  constructor(onError: (error: Error) => void) {
    this.#onError = onError;
  }

  /** Whether so much waits for the disk that the link should wait. */
  get isFull(): boolean {
    return (this.#stream?.writableLength ?? 0) > MAX_WAITING_BYTES;
  }

  /** Whether so much came before {@link open} that it should be called now. */
  get waitsForOpen(): boolean {
    return this.#earlyCharacters > MAX_WAITING_BYTES;
  }

  /** Opens the file; entries that were given before are written first. */
  async open(path: string): Promise<void> {
    try {
      const isFile = await lstat(path).then(
        (stat) => stat.isFile() || stat.isSymbolicLink(),
        () => false,
      );
      if (isFile) await unlink(path);
      const exists = await lstat(path).then(
        () => true,
        () => false,
      );
      const stream = createWriteStream(path, { flags: exists ? "a" : "wx", mode: 0o600 });
      stream.on("error", (error) => this.#fail(error));
      await once(stream, "open");
      this.#stream = stream;
      for (const text of this.#early ?? []) stream.write(text);
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#early = undefined;
  }

  /** Takes the text of one line, or a piece of it. */
  add(text: string): void {
    if (this.#failed) return;
    if (this.#early === undefined) {
      this.#stream?.write(text);
      return;
    }
    this.#early.push(text);
    this.#earlyCharacters += text.length;
  }

  /** Settles when there is room again. */
  async room(): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || !this.isFull) return;
    await Promise.race([once(stream, "drain"), once(stream, "close")]).catch(() => {});
  }

  /** Writes the rest and closes the file. */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || this.#failed) return;
    await new Promise<void>((resolve) => {
      stream.on("close", resolve);
      stream.end();
    });
  }

  #fail(error: Error): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#early = undefined;
    this.#onError(error);
  }
}
