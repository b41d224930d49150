import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { BundleError } from "../errors.ts";
import { readExactly } from "../hash-region.ts";
import type { BundleProblem } from "../metadata/check-metadata.ts";
import { isMetadataMap, type MetadataMap } from "../metadata/values.ts";
import { type NodeLayout, readNodeLayout } from "../node/node-layout.ts";
import { parseJsonMetadata } from "../node/parse-json-metadata.ts";
import {
  checkContentDigests,
  checkNodeMetadata,
  digestMismatch,
  isNodeBundle,
} from "../node/read-node-bundle.ts";
import { type FileIdentity, identityOf, isSameFile, openFile } from "../open-file.ts";

/** A Node bundle as far as it was read, and which file that was. */
export interface NodeReading {
  readonly identity: FileIdentity;
  /** Without it, `faults` says why; the same goes for the metadata. */
  readonly layout: NodeLayout | undefined;
  readonly metadata: MetadataMap | undefined;
  /** What Airflow would pass it over for; not the digests of sources and code. */
  readonly faults: readonly string[];
  /** What is wrong with those; undefined until a search needed it. */
  contentFaults?: readonly string[];
}

/**
 * Reads layout and metadata of a Node bundle, and nothing whose size knows no limit.
 *
 * @throws BundleError `cannot-read`, `not-a-file`, `changed`
 */
export function readNodeCandidate(path: string): NodeReading {
  const file = openFile(path);
  const problems: BundleProblem[] = [];
  let layout: NodeLayout | undefined;
  let metadata: MetadataMap | undefined;
  try {
    if (!isNodeBundle(file)) {
      throw new BundleError("bad-layout", "It does not start as a Node bundle does.");
    }
    layout = readNodeLayout(file);
    const { offset, length, sha256 } = layout.metadata;
    const bytes = readExactly(file.fd, offset, length);
    const actual = createHash("sha256").update(bytes).digest("hex");
    if (actual !== sha256) problems.push(digestMismatch("metadata", actual));
    metadata = parseJsonMetadata(bytes);
    checkNodeMetadata(metadata, undefined, problems);
  } catch (error) {
    if (!(error instanceof BundleError) || error.code === "changed") throw error;
    problems.push({ code: error.code, message: error.message, fault: true });
  } finally {
    closeSync(file.fd);
  }
  const faults = problems.filter(({ fault }) => fault).map(({ message }) => message);
  return { identity: identityOf(file.stats), layout, metadata, faults };
}

/** Whether its metadata has the Dag, however wrong the rest is. */
export function namesNodeDag({ metadata }: NodeReading, dagId: string): boolean {
  const handlers = metadata?.get("task_handlers");
  return isMetadataMap(handlers) && handlers.has(dagId);
}

/**
 * Hashes sources and code if that was not done yet, and gives what is wrong with them.
 *
 * @throws BundleError `changed` when the file is not the one any more that was read
 */
export async function contentFaultsOf(
  path: string,
  reading: NodeReading,
): Promise<readonly string[]> {
  if (reading.layout === undefined) return [];
  if (reading.contentFaults === undefined) {
    const { fd, stats } = openFile(path);
    try {
      const isSame = isSameFile(stats, reading.identity);
      const problems = isSame ? await checkContentDigests(fd, reading.layout) : [];
      if (!isSame || !isSameFile(fstatSync(fd, { bigint: true }), reading.identity)) {
        throw new BundleError("changed", "The file changed while it was read.");
      }
      reading.contentFaults = problems.map(({ message }) => message);
    } finally {
      closeSync(fd);
    }
  }
  return reading.contentFaults;
}
