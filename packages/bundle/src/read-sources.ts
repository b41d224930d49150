import { closeSync, createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { BundleReport } from "./bundle-report.ts";
import { BundleError } from "./errors.ts";
import type { BundleRegion } from "./footer.ts";
import { readExactly } from "./hash-region.ts";
import { unescapeSource } from "./node/node-layout.ts";
import { openFile } from "./open-file.ts";

/** An embedded source file; `path` is null for a source region without index or name. */
export interface EmbeddedSource {
  readonly path: string | null;
  readonly data: Uint8Array;
}

/** How many bytes of sources are held in memory at once, to pack them or to read them: 64 MiB. */
export const MAX_HELD_SOURCE_BYTES: number = 64 << 20;

/**
 * The source files that a bundle embeds, as they were before packing. Without an index the whole
 * source region is one file, called by the metadata's `source`; empty when there is none.
 *
 * @throws BundleError `cannot-read`, `changed`; `too-large` for more than 64 MiB together: see
 *   {@link createSourceStream}
 */
export function readSources(report: BundleReport): readonly EmbeddedSource[] {
  const files = filesOf(report);
  const total = files.reduce((sum, { length }) => sum + length, 0);
  if (total > MAX_HELD_SOURCE_BYTES) {
    throw new BundleError(
      "too-large",
      `The sources of ${report.path} have ${total} bytes; at most ${MAX_HELD_SOURCE_BYTES} are read at once.`,
      { path: report.path },
    );
  }
  const { fd } = openFile(report.path);
  try {
    return files.map(({ path, offset, length }) => {
      const bytes = readExactly(fd, offset, length);
      return { path, data: report.nodeLayout === null ? bytes : unescapeSource(bytes) };
    });
  } finally {
    closeSync(fd);
  }
}

/**
 * One embedded source of an AFBNDL01 bundle, of whatever size, piece by piece.
 *
 * @param source - one of `report.sources`; default the whole source region
 */
export function createSourceStream(
  { path, regions }: BundleReport,
  source?: BundleRegion,
): Readable {
  const { offset = 0, length = 0 } = regions?.source ?? {};
  const start = offset + (source?.offset ?? 0);
  const end = start + Math.min(source?.length ?? length, offset + length - start);
  return end <= start ? Readable.from([]) : createReadStream(path, { start, end: end - 1 });
}

interface SourceFile extends BundleRegion {
  readonly path: string | null;
}

/** Where the sources are, from the start of the file. */
function filesOf({ regions, sources, nodeLayout, metadata }: BundleReport): readonly SourceFile[] {
  if (nodeLayout !== null) return nodeLayout.sources;
  if (regions === null) return [];
  const { offset: start, length } = regions.source;
  if (sources !== null) {
    return sources.map((source) => ({ ...source, offset: start + source.offset }));
  }
  if (length === 0) return [];
  const name = metadata?.get("source");
  return [{ path: typeof name === "string" ? name : null, offset: start, length }];
}
