import { closeSync } from "node:fs";
import { BundleError } from "./errors.ts";
import { describeLostTrailer, findLostTrailer } from "./find-trailer.ts";
import { type BundleFooter, type BundleRegions, decodeFooter, FOOTER_SIZE } from "./footer.ts";
import { hashRegion, readExactly } from "./hash-region.ts";
import { type BundleProblem, checkMetadata } from "./metadata/check-metadata.ts";
import { MAX_METADATA_BYTES, parseMetadata } from "./metadata/parse-metadata.ts";
import { parseSourceIndex, type SourceRegion } from "./metadata/source-index.ts";
import type { MetadataMap } from "./metadata/values.ts";
import { isNodeBundle, readNodeBundle } from "./node/read-node-bundle.ts";
import { type OpenFile, openFile } from "./open-file.ts";

export interface ReadOptions {
  /** Schema versions that Airflow knows; without them every text is taken. */
  readonly knownSchemaVersions?: readonly string[] | undefined;
}

/** All that can be told about a file that is, or should be, a bundle. */
export interface BundleReport {
  readonly path: string;
  /** `node` for a `.min.mjs` bundle of Airflow 3.4; null for no bundle of any kind. */
  readonly format: "AFBNDL01" | "node" | null;
  /** null when there is no strictly good footer. */
  readonly footer: BundleFooter | null;
  readonly regions: BundleRegions | null;
  /** null when it can't be read. */
  readonly metadata: MetadataMap | null;
  /** The index of embedded sources; null when there is none, or a bad one. */
  readonly sources: readonly SourceRegion[] | null;
  /** Footer strict, digest equal, metadata a map: no problem is a fault. */
  readonly verified: boolean;
  readonly problems: readonly BundleProblem[];
}

/**
 * Looks at a file as Airflow would, and goes on where Airflow stops, to tell all that is wrong.
 * The digest detects damage, not tampering: it covers the executable region only, and whoever
 * changes the file can change the digest.
 *
 * @throws BundleError `cannot-read`, `not-a-file`, `changed`; never for a bad bundle
 */
export async function readBundle(path: string, options: ReadOptions = {}): Promise<BundleReport> {
  const file = openFile(path);
  try {
    if (isNodeBundle(file)) return await readNodeBundle(path, file, options);
    return await report(path, file, options);
  } finally {
    closeSync(file.fd);
  }
}

async function report(
  path: string,
  { fd, size }: OpenFile,
  { knownSchemaVersions }: ReadOptions,
): Promise<BundleReport> {
  const problems: BundleProblem[] = [];
  const nothing = { footer: null, regions: null, metadata: null, sources: null } as const;
  let decoded: ReturnType<typeof decodeFooter>;
  try {
    const tail = readExactly(fd, Math.max(0, size - FOOTER_SIZE), Math.min(size, FOOTER_SIZE));
    decoded = decodeFooter(tail, size);
  } catch (error) {
    problems.push(problemOf(error));
    const isFooter = problems[0]?.code !== "no-footer";
    const lost = isFooter ? undefined : findLostTrailer(fd, size);
    if (lost !== undefined) {
      problems.push({ code: "trailing-bytes", message: describeLostTrailer(lost), fault: true });
    }
    const format = isFooter || lost !== undefined ? "AFBNDL01" : null;
    return { path, format, ...nothing, verified: false, problems };
  }
  const { footer, regions } = decoded;
  const actual = await hashRegion(fd, regions.executable.length);
  if (actual !== footer.binarySha256) problems.push(digestMismatch(actual));
  const metadata = readMetadata(fd, regions, problems);
  let sources: readonly SourceRegion[] | null = null;
  if (metadata !== null) {
    problems.push(...checkMetadata(metadata, knownSchemaVersions));
    sources = await readSources(fd, metadata, regions, problems);
  }
  const verified = !problems.some((problem) => problem.fault);
  return { path, format: "AFBNDL01", footer, regions, metadata, sources, verified, problems };
}

function readMetadata(
  fd: number,
  { metadata: { offset, length } }: BundleRegions,
  problems: BundleProblem[],
): MetadataMap | null {
  try {
    // one byte more than is read, so that the limit is told without reading up to 4 GiB
    return parseMetadata(readExactly(fd, offset, Math.min(length, MAX_METADATA_BYTES + 1)), length);
  } catch (error) {
    problems.push(problemOf(error));
    return null;
  }
}

async function readSources(
  fd: number,
  metadata: MetadataMap,
  regions: BundleRegions,
  problems: BundleProblem[],
): Promise<readonly SourceRegion[] | null> {
  const { offset, length } = regions.source;
  let sources: readonly SourceRegion[] | undefined;
  try {
    sources = parseSourceIndex(metadata, length);
  } catch (error) {
    problems.push({ ...problemOf(error), fault: false });
    return null;
  }
  for (const source of sources ?? []) {
    const actual = await hashRegion(fd, source.length, { offset: offset + source.offset });
    if (actual !== source.sha256) {
      const message = `The source ${JSON.stringify(source.path)} has the SHA-256 ${actual}, not the one in the index; Airflow will not show it.`;
      problems.push({ code: "source-digest-mismatch", message, fault: false });
    }
  }
  return sources ?? null;
}

function digestMismatch(actual: string): BundleProblem {
  const message =
    `The executable region has the SHA-256 ${actual}, not the one in the footer. ` +
    "It was changed after packing (strip, a signature, a packer of executables) or is damaged: " +
    "strip and sign first, pack last.";
  return { code: "digest-mismatch", message, fault: true };
}

function problemOf(error: unknown): BundleProblem {
  if (!(error instanceof BundleError)) throw error;
  return { code: error.code, message: error.message, fault: true };
}

/** The source region of a bundle, or part of it. @throws BundleError `changed` */
export function readRegion(path: string, region: { offset: number; length: number }): Uint8Array {
  const file = openFile(path);
  try {
    return readExactly(file.fd, region.offset, region.length);
  } finally {
    closeSync(file.fd);
  }
}
