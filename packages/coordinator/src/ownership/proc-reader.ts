import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

/** Below a page, so that a short read means the end of the file (seq_file fills what is asked). */
const READ_BYTES = 2048;

/** Whether a call failed because we, or the system, have too many files open. */
export function isShortOfDescriptors(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE";
}

/** Gone, or not ours to see. @throws the error when it says nothing about the file */
function absent(error: unknown): undefined {
  if (isShortOfDescriptors(error)) throw error;
  return undefined;
}

/**
 * Reads a small /proc file at once; undefined when it can't be read (gone, or not ours to see).
 *
 * @throws the system's error EMFILE or ENFILE: that nothing could be looked up must not look as if
 *   nothing was there
 *
 * The reads are synchronous on purpose: the kernel answers them from memory in a few microseconds,
 * a trip through the thread pool costs ten times as much. Long walks give way through
 * {@link TimeSlice}.
 */
export function readProcFile(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    return absent(error);
  }
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let text = "";
    for (;;) {
      const length = readSync(descriptor, buffer, 0, READ_BYTES, null);
      text += buffer.toString("latin1", 0, length);
      if (length < READ_BYTES) return text;
    }
  } catch {
    return undefined; // the process ended between open and read (ESRCH)
  } finally {
    closeSync(descriptor);
  }
}

/** The entries of a /proc folder; undefined when it can't be listed. @throws as {@link readProcFile} */
export function listProcFolder(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch (error) {
    return absent(error);
  }
}

/** Where a /proc link points; undefined when it can't be read. */
export function readProcLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Keeps a long synchronous walk from holding the event loop: `await` it between steps. */
export class TimeSlice {
  readonly #sliceMs: number;
  #startedAt = performance.now();

  /** @param sliceMs how long the walk may run in one go, 8 ms by default */
  constructor(sliceMs = 8) {
    this.#sliceMs = sliceMs;
  }

  /** Whether it is time to give way. */
  get isSpent(): boolean {
    return performance.now() - this.#startedAt > this.#sliceMs;
  }

  /** Lets other work run, then starts a new slice. */
  async giveWay(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#startedAt = performance.now();
  }
}
