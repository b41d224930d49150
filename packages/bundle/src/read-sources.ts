import { closeSync } from "node:fs";
import type { BundleReport } from "./bundle-report.ts";
import { readExactly } from "./hash-region.ts";
import { unescapeSource } from "./node/node-layout.ts";
import { openFile } from "./open-file.ts";

/** An embedded source file; `path` is null for a source region without index or name. */
export interface EmbeddedSource {
  readonly path: string | null;
  readonly data: Uint8Array;
}

/**
 * The source files that a bundle embeds, as they were before packing. Without an index the whole
 * source region is one file, called by the metadata's `source`; empty when there is none.
 *
 * @throws BundleError `cannot-read`, `changed`
 */
export function readSources(report: BundleReport): readonly EmbeddedSource[] {
  const { regions, sources, nodeLayout } = report;
  const { fd } = openFile(report.path);
  try {
    if (nodeLayout !== null) {
      return nodeLayout.sources.map(({ path, offset, length }) => {
        return { path, data: unescapeSource(readExactly(fd, offset, length)) };
      });
    }
    if (regions === null) return [];
    const start = regions.source.offset;
    if (sources !== null) {
      return sources.map(({ path, offset, length }) => {
        return { path, data: readExactly(fd, start + offset, length) };
      });
    }
    if (regions.source.length === 0) return [];
    const name = report.metadata?.get("source");
    const path = typeof name === "string" ? name : null;
    return [{ path, data: readExactly(fd, start, regions.source.length) }];
  } finally {
    closeSync(fd);
  }
}
