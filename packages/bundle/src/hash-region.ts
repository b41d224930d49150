import { createHash } from "node:crypto";
import { read, readSync } from "node:fs";
import { promisify } from "node:util";
import { BundleError } from "./errors.ts";

const CHUNK_BYTES = 1 << 20;
const readAsync = promisify(read);

interface HashOptions {
  /** Where the region starts; default 0. */
  readonly offset?: number;
  /** Sees each piece in order; its memory is used again after it resolves. */
  readonly onPiece?: (piece: Uint8Array) => Promise<void>;
}

/**
 * SHA-256 of `length` bytes of an open file, as 64 hex digits. Reads the next piece while the last
 * is hashed, two pieces of 1 MiB at most.
 *
 * @throws BundleError `changed` when the file ends early; whatever `onPiece` throws
 */
export async function hashRegion(
  fd: number,
  length: number,
  { offset = 0, onPiece }: HashOptions = {},
): Promise<string> {
  const hash = createHash("sha256");
  const size = Math.min(CHUNK_BYTES, length);
  let [current, spare] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  let position = 0;
  const start = (buffer: Buffer): Promise<number> =>
    readAsync(fd, buffer, 0, Math.min(size, length - position), offset + position).then(
      ({ bytesRead }) => bytesRead,
    );
  let pending = start(current);
  try {
    while (position < length) {
      const bytesRead = await pending;
      if (bytesRead === 0) throw cutShort(position, length);
      const piece = current.subarray(0, bytesRead);
      position += bytesRead;
      [current, spare] = [spare, current];
      if (position < length) pending = start(current);
      hash.update(piece);
      await onPiece?.(piece);
    }
    return hash.digest("hex");
  } finally {
    // the caller closes the descriptor next: no read may be under way then
    await pending.catch(() => {});
  }
}

/**
 * Reads exactly `length` bytes at `offset`.
 *
 * @param memory - where to; default new memory
 * @throws BundleError `changed` when there are fewer
 */
export function readExactly(fd: number, offset: number, length: number, memory?: Buffer): Buffer {
  const bytes = memory?.subarray(0, length) ?? Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const got = readSync(fd, bytes, done, length - done, offset + done);
    if (got === 0) throw cutShort(offset + done, offset + length);
    done += got;
  }
  return bytes;
}

function cutShort(got: number, wanted: number): BundleError {
  return new BundleError(
    "changed",
    `The file ended at byte ${got} of ${wanted} while it was read: something else writes to it.`,
  );
}
