import { BundleError } from "../errors.ts";
import { isMetadataMap, type MetadataMap, type MetadataValue } from "./values.ts";

/** One embedded source file; `offset` counts from the start of the source region, in bytes. */
export interface SourceRegion {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

/**
 * Reads the index of embedded sources, as strictly as Airflow 3.4 does before it shows one.
 * undefined when there is no index.
 *
 * @param sourceLength - of the source region, in bytes
 * @throws BundleError `bad-sources`
 */
export function parseSourceIndex(
  metadata: MetadataMap,
  sourceLength: number,
): readonly SourceRegion[] | undefined {
  const sources = metadata.get("sources") ?? null;
  if (sources === null) return undefined;
  if (!Array.isArray(sources)) throw bad("`sources` is no list");
  const regions = new Map<string, SourceRegion>();
  for (const entry of sources as readonly MetadataValue[]) {
    const region = parseEntry(entry, sourceLength);
    if (regions.has(region.path)) throw bad(`the path ${show(region.path)} is there twice`);
    regions.set(region.path, region);
  }
  checkPath(metadata.get("entrypoint_path"), "entrypoint_path", regions);
  const byDag = metadata.get("dag_source_paths") ?? null;
  if (byDag !== null) {
    if (!isMetadataMap(byDag)) throw bad("`dag_source_paths` is no map");
    for (const path of byDag.values()) checkPath(path ?? "", "dag_source_paths", regions);
  }
  return [...regions.values()];
}

function parseEntry(entry: MetadataValue, sourceLength: number): SourceRegion {
  if (!isMetadataMap(entry)) throw bad("an entry is no map");
  const path = entry.get("path");
  if (typeof path !== "string" || path === "") throw bad("a path is no text, or empty");
  const offset = count(entry.get("offset"), path, "offset");
  const length = count(entry.get("length"), path, "length");
  const sha256 = entry.get("sha256");
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw bad(`the sha256 of ${show(path)} is not 64 lower-case hex digits`);
  }
  if (offset + length > sourceLength) {
    throw bad(`${show(path)} reaches past the ${sourceLength} bytes of the source region`);
  }
  return { path, offset, length, sha256 };
}

function count(value: MetadataValue | undefined, path: string, name: string): number {
  if (typeof value === "bigint" && value > 0n) return Number(value); // past any region, told next
  if (typeof value !== "number" || value < 0) {
    throw bad(`the ${name} of ${show(path)} is no integer of 0 or more`);
  }
  return value;
}

function checkPath(
  path: MetadataValue | undefined,
  key: string,
  regions: ReadonlyMap<string, SourceRegion>,
): void {
  if (path === undefined || path === null) return;
  if (typeof path !== "string" || !regions.has(path)) {
    throw bad(
      `\`${key}\` names ${typeof path === "string" ? show(path) : "a value"}, which is none of the sources`,
    );
  }
}

function show(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function bad(reason: string): BundleError {
  return new BundleError("bad-sources", `The index of embedded sources is unusable: ${reason}.`);
}
