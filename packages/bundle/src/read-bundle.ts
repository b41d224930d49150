import { isUtf8 } from "node:buffer";
import { closeSync } from "node:fs";
import type { BundleReport, ReadOptions } from "./bundle-report.ts";
import { BundleError } from "./errors.ts";
import type { FilePath } from "./find/walk-files.ts";
import { describeLostTrailer, findLostTrailer } from "./find-trailer.ts";
import { type BundleRegions, decodeFooter, FOOTER_SIZE } from "./footer.ts";
import { hashRegion, readExactly } from "./hash-region.ts";
import { type BundleProblem, checkMetadata } from "./metadata/check-metadata.ts";
import { MAX_METADATA_BYTES, parseMetadata } from "./metadata/parse-metadata.ts";
import { parseSourceIndex, type SourceRegion } from "./metadata/source-index.ts";
import type { MetadataMap } from "./metadata/values.ts";
import { isNodeBundle, readNodeBundle } from "./node/read-node-bundle.ts";
import { type OpenFile, openFile } from "./open-file.ts";

/** Of longer sources it is not told whether they are text. */
const MAX_TEXT_CHECK_BYTES = 1 << 24;

/** The kernel looks for the interpreter's name in this much. */
const INTERPRETER_BYTES = 256;

const CR_IN_INTERPRETER: BundleProblem = {
  code: "cr-in-interpreter-line",
  message:
    "The script's first line ends with CR LF, so the system looks for an interpreter whose name " +
    "ends with CR and fails with ENOENT. Write the script with LF line ends and pack it again.",
  fault: false,
};

/**
 * Looks at a file as Airflow would, and goes on where Airflow stops, to tell all that is wrong.
 * The digest detects damage, not tampering: it covers the executable region only, and whoever
 * changes the file can change the digest.
 *
 * @throws BundleError `cannot-read`, `not-a-file`, `changed`; never for a bad bundle
 */
export async function readBundle(path: FilePath, options: ReadOptions = {}): Promise<BundleReport> {
  const file = openFile(path);
  const shown = path.toString();
  try {
    if (isNodeBundle(file)) return await readNodeBundle(shown, file, options);
    return await report(shown, file, options);
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
  const nothing = { footer: null, regions: null, metadata: null, sources: null };
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
    return { path, format, ...nothing, nodeLayout: null, verified: false, problems };
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
  const interpreter = readExactly(fd, 0, Math.min(regions.executable.length, INTERPRETER_BYTES));
  if (/^#![^\n]*\r\n/.test(interpreter.toString("latin1"))) problems.push(CR_IN_INTERPRETER);
  const verified = !problems.some((problem) => problem.fault);
  return {
    path,
    format: "AFBNDL01",
    footer,
    regions,
    nodeLayout: null,
    metadata,
    sources,
    verified,
    problems,
  };
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
    const problem = await checkSource(fd, offset + source.offset, source);
    if (problem !== undefined) problems.push({ ...problem, fault: false });
  }
  return sources ?? null;
}

async function checkSource(
  fd: number,
  offset: number,
  { path, length, sha256 }: SourceRegion,
): Promise<{ readonly code: string; readonly message: string } | undefined> {
  const name = `The source ${JSON.stringify(path)}`;
  const actual = await hashRegion(fd, length, { offset });
  if (actual !== sha256) {
    const message = `${name} has the SHA-256 ${actual}, not the one in the index; Airflow will not show it.`;
    return { code: "source-digest-mismatch", message };
  }
  if (length > MAX_TEXT_CHECK_BYTES || isUtf8(readExactly(fd, offset, length))) return undefined;
  return { code: "source-not-utf8", message: `${name} is not UTF-8; Airflow will not show it.` };
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
