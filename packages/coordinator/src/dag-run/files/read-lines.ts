import { type FileHandle, open } from "node:fs/promises";

const PIECE_BYTES = 256 * 1024;

/** Whole lines of a file. */
export interface LinePage {
  readonly lines: readonly string[];
  /** The place behind the last of them, in bytes. */
  readonly next: number;
  /** Whether another whole line follows. */
  readonly hasMore: boolean;
}

/** Lines of a file from a place on; a last one without its end is not there yet. None of a file that is missing. */
export async function readLines(path: string, from: number, limit: number): Promise<LinePage> {
  let handle: FileHandle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { lines: [], next: from, hasMore: false };
  }
  try {
    const lines: string[] = [];
    let next = from;
    let rest: Buffer = Buffer.alloc(0);
    for (let at = from; ; ) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, at);
      if (bytesRead === 0) return { lines, next, hasMore: false };
      at += bytesRead;
      rest = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
      let begin = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, begin)) {
        if (lines.length >= limit) return { lines, next, hasMore: true };
        lines.push(rest.toString("utf8", begin, end));
        next += end + 1 - begin;
        begin = end + 1;
      }
      rest = rest.subarray(begin);
    }
  } finally {
    await handle.close();
  }
}
