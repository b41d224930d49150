import { isUtf8 } from "node:buffer";
import type { BundleReport, ReadOptions } from "../bundle-report.ts";
import { BundleError } from "../errors.ts";
import { hashRegion, readExactly } from "../hash-region.ts";
import { type BundleProblem, schemaVersionOf } from "../metadata/check-metadata.ts";
import { isMetadataMap, type MetadataMap } from "../metadata/values.ts";
import type { OpenFile } from "../open-file.ts";
import { LAYOUT_PREFIX, type NodeLayout, type NodeSection, readNodeLayout } from "./node-layout.ts";
import { parseJsonMetadata } from "./parse-json-metadata.ts";

/** Whether a file starts as a Node bundle of Airflow 3.4 does. */
export function isNodeBundle({ fd, size }: OpenFile): boolean {
  if (size < LAYOUT_PREFIX.length) return false;
  return readExactly(fd, 0, LAYOUT_PREFIX.length).toString("latin1") === LAYOUT_PREFIX;
}

/**
 * Looks at a Node bundle as Airflow 3.4 does. It is verified when the layout fits the file, all
 * digests are equal and the metadata is such that Airflow lists the bundle.
 */
export async function readNodeBundle(
  path: string,
  file: OpenFile,
  { knownSchemaVersions }: ReadOptions,
): Promise<BundleReport> {
  const problems: BundleProblem[] = [];
  const layout = attempt(problems, () => readNodeLayout(file));
  let metadata: MetadataMap | null = null;
  if (layout !== null) {
    await checkDigests(file, layout, problems);
    metadata = attempt(problems, () =>
      parseJsonMetadata(readExactly(file.fd, layout.metadata.offset, layout.metadata.length)),
    );
    if (metadata !== null) {
      checkNodeMetadata(metadata, knownSchemaVersions, problems);
      checkSourcePaths(metadata, layout, problems);
    }
    checkSourceTexts(file, layout, problems);
  }
  return {
    path,
    format: "node",
    footer: null,
    regions: null,
    nodeLayout: layout,
    metadata,
    sources: layout?.sources ?? null,
    verified: !problems.some(({ fault }) => fault),
    problems,
  };
}

async function checkDigests(
  { fd }: OpenFile,
  layout: NodeLayout,
  problems: BundleProblem[],
): Promise<void> {
  const { metadata } = layout;
  const actual = await hashRegion(fd, metadata.length, metadata);
  if (actual !== metadata.sha256) problems.push(digestMismatch("metadata", actual));
  problems.push(...(await checkContentDigests(fd, layout)));
}

/** Compares the digests of sources and code, whose size knows no limit, with those in the layout. */
export async function checkContentDigests(
  fd: number,
  { sources, code }: NodeLayout,
): Promise<readonly BundleProblem[]> {
  const problems: BundleProblem[] = [];
  const check = async (name: string, { offset, length, sha256 }: NodeSection): Promise<void> => {
    const actual = await hashRegion(fd, length, { offset });
    if (actual !== sha256) problems.push(digestMismatch(name, actual));
  };
  for (const source of sources) await check(`source ${source.path}`, source);
  await check("code", code);
  return problems;
}

/** What is said of a section that has another digest than the layout tells. */
export function digestMismatch(name: string, actual: string): BundleProblem {
  const message = `The ${name} has the SHA-256 ${actual}, not the one in the layout: it was changed after packing or is damaged.`;
  return { code: "digest-mismatch", message, fault: true };
}

/** Adds what Airflow minds in the metadata; a fault is what it does not list the bundle for. */
export function checkNodeMetadata(
  metadata: MetadataMap,
  known: readonly string[] | undefined,
  problems: BundleProblem[],
): void {
  const version = metadata.get("airflow_bundle_metadata_version");
  if (typeof version !== "string" || !/^0*1\.\d+(?:\.\d+)?$/.test(version)) {
    const message =
      'airflow_bundle_metadata_version must be a text of major version 1, such as "1.0".';
    problems.push({ code: "bad-metadata-version", message, fault: true });
  }
  if (!isMetadataMap(metadata.get("task_handlers"))) {
    const message = "There is no map `task_handlers`, which tells the Dags of a Node bundle.";
    problems.push({ code: "no-task-handlers", message, fault: true });
  }
  const isGiven = attempt(problems, () => schemaVersionOf(metadata)) !== null;
  if (!isGiven || known === undefined) return;
  try {
    schemaVersionOf(metadata, known);
  } catch (error) {
    const message = `${(error as Error).message} Airflow will not run the bundle.`;
    problems.push({ code: "bad-schema-version", message, fault: false });
  }
}

/** Airflow looks at these only when it shows a source; what is no text is passed over. */
function checkSourcePaths(
  metadata: MetadataMap,
  { sources }: NodeLayout,
  problems: BundleProblem[],
): void {
  const check = (key: string, path: unknown): void => {
    if (typeof path !== "string" || sources.some((source) => source.path === path)) return;
    const shown = JSON.stringify(path.slice(0, 80));
    const message = `\`${key}\` names ${shown}, which is none of the sources; Airflow will not show it.`;
    problems.push({ code: "bad-sources", message, fault: false });
  };
  check("entrypoint_path", metadata.get("entrypoint_path"));
  const byDag = metadata.get("dag_source_paths");
  if (isMetadataMap(byDag)) for (const path of byDag.values()) check("dag_source_paths", path);
}

/** The layout's limit keeps each of them below 1 MiB. */
function checkSourceTexts(
  { fd }: OpenFile,
  { sources }: NodeLayout,
  problems: BundleProblem[],
): void {
  for (const { path, offset, length } of sources) {
    if (isUtf8(readExactly(fd, offset, length))) continue;
    const message = `The source ${JSON.stringify(path)} is not UTF-8; Airflow will not show it.`;
    problems.push({ code: "source-not-utf8", message, fault: false });
  }
}

function attempt<T>(problems: BundleProblem[], work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    problems.push({ code: error.code, message: error.message, fault: true });
    return null;
  }
}
