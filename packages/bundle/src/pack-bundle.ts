import { closeSync, fstatSync } from "node:fs";
import { BundleError } from "./errors.ts";
import {
  type BundleFooter,
  type BundleRegions,
  decodeFooter,
  encodeFooter,
  endsWithMagic,
  FOOTER_MAGIC,
  FOOTER_SIZE,
} from "./footer.ts";
import { hashRegion, readExactly } from "./hash-region.ts";
import { type BundleSource, joinSources } from "./metadata/create-metadata.ts";
import { formatMetadata, type MetadataInput } from "./metadata/format-metadata.ts";
import { MAX_METADATA_BYTES } from "./metadata/parse-metadata.ts";
import { isSameFile, openFile } from "./open-file.ts";
import { MAX_HELD_SOURCE_BYTES } from "./read-sources.ts";
import { replaceFile, type WriteBytes } from "./replace-file.ts";
import { targetOf } from "./target-of.ts";

/** What to pack, and where to. */
export interface PackOptions {
  /** The file to append to; it is only read. Strip and sign it before, never after. */
  readonly executable: string;
  /**
   * How much of `executable` is packed, from its start: the executable region of a bundle that is
   * packed again, and may then be `out` itself. Default all of it, and no bundle is taken.
   */
  readonly executableBytes?: number | undefined;
  /** Values to be written with `formatMetadata`, or the region's exact bytes. */
  readonly metadata: { readonly [key: string]: MetadataInput } | Uint8Array;
  /** The source region, or the files it is made of; default none. */
  readonly sources?: Uint8Array | readonly BundleSource[] | undefined;
  /** Where the bundle goes: replaced in one step when it is complete. A link is followed. */
  readonly out: string;
  /** Permission bits; default the executable's, plus execute for each class that may read. */
  readonly mode?: number | undefined;
  /** Aborting stops before the replacement; nothing is left behind. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: how bytes get to the disk. */
  readonly writeBytes?: WriteBytes | undefined;
}

/** What was written. */
export interface PackedBundle {
  /** Absolute, links resolved as far as `out` itself goes. */
  readonly path: string;
  /** Of the whole file, in bytes. */
  readonly size: number;
  readonly mode: number;
  readonly footer: BundleFooter;
  readonly regions: BundleRegions;
}

/**
 * Appends source, metadata and footer to a copy of an executable.
 *
 * The copy is streamed and hashed on the way, in a new file (mode 0600) in the target's folder,
 * that replaces the target when it is complete and on the disk. On any failure the old target
 * stays as it was and the new file is gone.
 *
 * @throws BundleError `already-packed`, `empty-executable`, `not-a-file`, `cannot-read`,
 *   `same-file` (also through links), `is-directory`, `too-large` (metadata over 1 MiB, a source
 *   region over 64 MiB), `bad-metadata`, `changed` (the executable, meanwhile), `cannot-write`
 */
export async function packBundle(options: PackOptions): Promise<PackedBundle> {
  const { executable, signal, writeBytes } = options;
  const sources = sourceBytes(options.sources);
  const metadata = metadataBytes(options.metadata);
  checkSizes(sources, metadata);
  const file = openFile(executable);
  try {
    const isAgain = options.executableBytes !== undefined;
    const length = Math.min(options.executableBytes ?? file.size, file.size);
    checkExecutable(file.fd, length, executable);
    const out = targetOf(options.out, isAgain ? undefined : file.stats);
    const mode = options.mode ?? executableMode(Number(file.stats.mode));
    const footer = await replaceFile({ out, mode, signal, writeBytes }, async (put, sync) => {
      const binarySha256 = await hashRegion(file.fd, length, { onPiece: put });
      if (!isSameFile(fstatSync(file.fd, { bigint: true }), file.stats)) {
        throw new BundleError("changed", `${executable} changed while it was copied; pack again.`, {
          path: executable,
        });
      }
      const encoded = encodeFooter({
        sourceLength: sources.length,
        metadataLength: metadata.length,
        binarySha256,
      });
      for (const part of [sources, metadata]) await put(part);
      // A supervisor that walks the folder must not take the new file under its passing name: it is no
      // bundle until the footer is there, and what takes long is done before.
      await sync();
      await put(encoded);
      return encoded;
    });
    const size = length + sources.length + metadata.length + FOOTER_SIZE;
    return { path: out, size, mode, ...decodeFooter(footer, size) };
  } finally {
    closeSync(file.fd);
  }
}

function metadataBytes(metadata: PackOptions["metadata"]): Uint8Array {
  if (metadata instanceof Uint8Array) return metadata;
  return new TextEncoder().encode(formatMetadata(metadata));
}

function sourceBytes(sources: PackOptions["sources"]): Uint8Array {
  return sources instanceof Uint8Array ? sources : joinSources(sources ?? []);
}

function checkSizes(sources: Uint8Array, metadata: Uint8Array): void {
  if (sources.length > MAX_HELD_SOURCE_BYTES) {
    throw new BundleError(
      "too-large",
      `The source region has ${sources.length} bytes; at most ${MAX_HELD_SOURCE_BYTES} are packed.`,
    );
  }
  if (metadata.length > MAX_METADATA_BYTES) {
    throw new BundleError(
      "too-large",
      `The metadata has ${metadata.length} bytes; readers take ${MAX_METADATA_BYTES}.`,
    );
  }
}

function checkExecutable(fd: number, size: number, path: string): void {
  if (size === 0) {
    throw new BundleError("empty-executable", `${path} is empty; there is nothing to run.`, {
      path,
    });
  }
  const tail = readExactly(fd, Math.max(0, size - FOOTER_MAGIC.length), Math.min(size, 8));
  if (endsWithMagic(tail)) {
    throw new BundleError(
      "already-packed",
      `${path} ends with ${FOOTER_MAGIC}: it is a bundle already. Pack the executable it was made of, or pack the bundle again (parlance bundle pack --repack; executableBytes).`,
      { path },
    );
  }
}

/** Execute for each class that may read; set-user-id and the like are not carried over. */
function executableMode(mode: number): number {
  const readable = mode & 0o444;
  return (mode & 0o777) | (readable >> 2);
}
