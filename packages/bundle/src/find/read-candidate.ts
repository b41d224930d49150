import { type BigIntStats, closeSync, readSync } from "node:fs";
import { BundleError, reasonOf } from "../errors.ts";
import { decodeFooter, endsWithMagic, FOOTER_SIZE } from "../footer.ts";
import { readExactly } from "../hash-region.ts";
import { LazyMetadata } from "../metadata/lazy-metadata.ts";
import { MAX_METADATA_BYTES } from "../metadata/parse-metadata.ts";
import { identityOf, openFile } from "../open-file.ts";
import type { Reading, SeenFile } from "./bundle-cache.ts";
import type { FilePath } from "./walk-files.ts";

/** Footer and metadata are mostly within this: one read a file. */
const TAIL_BYTES = 2048;

/** Whether anybody may run it; not, whether this process may. */
export function hasExecuteBit(stats: BigIntStats | undefined): boolean {
  return stats !== undefined && (stats.mode & 0o111n) !== 0n;
}

/**
 * Reads footer and metadata of a file, not the executable region. What nobody may run is no bundle.
 *
 * @throws BundleError `cannot-read`, `not-a-file` when it can't be opened
 */
export function readCandidate(path: FilePath): SeenFile {
  const { fd, size, stats } = openFile(path);
  try {
    const reading: Reading = hasExecuteBit(stats) ? read(fd, size) : { kind: "no-bundle" };
    return { identity: identityOf(stats), reading };
  } finally {
    closeSync(fd);
  }
}

const tailBuffer = Buffer.allocUnsafe(TAIL_BYTES);

function read(fd: number, size: number): Reading {
  if (size < FOOTER_SIZE) return { kind: "no-bundle" };
  const length = Math.min(size, TAIL_BYTES);
  const tail = tailBuffer.subarray(0, readSync(fd, tailBuffer, 0, length, size - length));
  // a file that ends without the magic is something else, not a broken bundle
  if (tail.length !== length || !endsWithMagic(tail)) return { kind: "no-bundle" };
  try {
    const { footer, regions } = decodeFooter(tail.subarray(length - FOOTER_SIZE), size);
    const { offset, length: bytes } = regions.metadata;
    const inTail = offset - (size - length);
    const text =
      inTail >= 0
        ? tail.subarray(inTail, inTail + bytes)
        : readExactly(fd, offset, Math.min(bytes, MAX_METADATA_BYTES + 1));
    return { kind: "bundle", footer, regions, metadata: new LazyMetadata(text, bytes) };
  } catch (error) {
    if (error instanceof BundleError) return { kind: "broken", reason: error.message };
    return { kind: "broken", reason: `It can't be read: ${reasonOf(error)}.` };
  }
}
