import { type BigIntStats, closeSync, readSync } from "node:fs";
import { BundleError, reasonOf } from "../errors.ts";
import { decodeFooter, endsWithMagic, FOOTER_SIZE } from "../footer.ts";
import { readExactly } from "../hash-region.ts";
import { MAX_METADATA_BYTES, parseMetadata } from "../metadata/parse-metadata.ts";
import { openFile } from "../open-file.ts";
import type { Reading } from "./bundle-cache.ts";
import type { FilePath } from "./walk-files.ts";

/** Footer and metadata are mostly within this: one read a file. */
const TAIL_BYTES = 2048;

/** A file that is open while its reading is used, with the status of that descriptor. */
export interface Candidate {
  readonly fd: number;
  readonly stats: BigIntStats;
  readonly reading: Reading;
}

/**
 * Opens a file and reads footer and metadata, not the executable region.
 *
 * @throws BundleError `cannot-read`, `not-a-file` when it can't be opened
 */
export function openCandidate(path: FilePath): Candidate {
  const { fd, size, stats } = openFile(path);
  try {
    return { fd, stats, reading: read(fd, size) };
  } catch (error) {
    closeSync(fd);
    throw error;
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
    return { kind: "bundle", footer, regions, metadata: parseMetadata(text, bytes) };
  } catch (error) {
    if (error instanceof BundleError) return { kind: "broken", reason: error.message };
    return { kind: "broken", reason: `It can't be read: ${reasonOf(error)}.` };
  }
}
