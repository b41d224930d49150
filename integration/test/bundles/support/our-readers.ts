import {
  type AirflowLine,
  type BundleReport,
  dagIdsOf,
  examineRoots,
  findBundle,
  findNodeBundle,
  isMetadataMap,
  readBundle,
  schemaVersionOf,
} from "@parlance/bundle";
import { toNeutral } from "./neutral-metadata.ts";
import type { AskedFile, ReaderName, Reading } from "./real-readers.ts";

const KNOWN: Readonly<Record<AirflowLine, readonly string[]>> = {
  "3.3": ["2026-06-16"],
  "3.4": ["2026-06-16", "2026-10-30"],
};

/** What our reader and our search make of a file, told as the real ones do. */
export async function readOurs(
  reader: ReaderName,
  { path, dagId }: AskedFile,
  airflow: AirflowLine,
): Promise<Reading> {
  const knownSchemaVersions = KNOWN[airflow];
  const report = await readBundle(path);
  const search = reader === "node" ? findNodeBundle : findBundle;
  const { schemaVersion: found } = await search({ roots: [path], dagId, knownSchemaVersions });
  if (reader === "node") return { ...nodeReading(report), found };
  const reading = { ...executableReading(report), found };
  if (reading.verdict !== "bad-metadata") return reading;
  const escaped = await escapeTold(path, airflow);
  return escaped === undefined ? reading : { ...reading, verdict: "escaped", why: escaped };
}

/** The exception that the doctor says ends Airflow's search at this file. */
async function escapeTold(path: string, airflow: AirflowLine): Promise<string | undefined> {
  const { problems } = await examineRoots({ roots: [path], airflow });
  const told = problems.find(({ code }) => code === "stops-search");
  return told && /fails in Airflow \S+ with an? (\w+)/.exec(told.message)?.[1];
}

type Half = Omit<Reading, "found">;

const NOTHING = { offsets: null, metadata: null, dagIds: [], schemaVersion: null } as const;

function executableReading(report: BundleReport): Half {
  const { regions, metadata } = report;
  const verdict = report.format === "node" ? "no-footer" : verdictOf(report);
  if (regions === null) return { ...NOTHING, verdict };
  const offsets = [
    regions.source.offset,
    regions.source.length,
    regions.metadata.offset,
    regions.metadata.length,
  ];
  if (verdict !== "ok" || metadata === null) return { ...NOTHING, verdict, offsets };
  return {
    verdict,
    offsets,
    metadata: toNeutral(metadata),
    dagIds: dagIdsOf(metadata).map(toNeutral).sort(),
    schemaVersion: versionOf(metadata),
  };
}

function nodeReading(report: BundleReport): Half {
  const { nodeLayout, metadata } = report;
  // What does not begin as a Node bundle has no layout.
  const found = report.format === "node" ? verdictOf(report) : "bad-layout";
  const isMetadataFault = found === "bad-metadata-version" || found === "no-task-handlers";
  const verdict = isMetadataFault ? "bad-metadata" : found;
  if (nodeLayout === null) return { ...NOTHING, verdict };
  const offsets = [nodeLayout.metadata, ...nodeLayout.sources, nodeLayout.code].flatMap(
    ({ offset, length }) => [offset, offset + length],
  );
  if (verdict !== "ok" || metadata === null) return { ...NOTHING, verdict, offsets };
  const handlers = metadata.get("task_handlers");
  const ids = isMetadataMap(handlers) ? [...handlers.keys()] : [];
  return {
    verdict,
    offsets,
    metadata: toNeutral(metadata),
    dagIds: ids.map(toNeutral),
    schemaVersion: versionOf(metadata),
  };
}

function verdictOf({ problems }: BundleReport): string {
  return problems.find(({ fault }) => fault)?.code ?? "ok";
}

function versionOf(metadata: Parameters<typeof schemaVersionOf>[0]): string | null {
  try {
    return schemaVersionOf(metadata);
  } catch {
    return null;
  }
}
