import { closeSync } from "node:fs";
import type { BundleReport } from "../bundle-report.ts";
import type { FilePath } from "../find/walk-files.ts";
import { readExactly } from "../hash-region.ts";
import { MAX_METADATA_BYTES, parseMetadata } from "../metadata/parse-metadata.ts";
import { PythonFailure } from "../metadata/python-failure.ts";
import { openFile } from "../open-file.ts";
import type { Finding } from "./bundle-problems.ts";
import type { AirflowLine } from "./doctor-report.ts";

/**
 * What Airflow fails at with an exception that it does not expect: the search ends at this file,
 * whatever Dag is looked for, and no bundle behind it is found. Metadata is read only where the
 * digest is right.
 */
export function searchEnd(
  { regions, problems }: BundleReport,
  path: FilePath,
  airflow: AirflowLine,
): readonly Finding[] {
  const codes = problems.map(({ code }) => code);
  if (regions === null || !codes.includes("bad-metadata")) return [];
  if (codes.includes("digest-mismatch")) return [];
  const { offset, length } = regions.metadata;
  const failure = failureOf(path, offset, length);
  if (failure === undefined || (failure.type === "ValueError" && airflow === "3.4")) return [];
  return [
    {
      code: "stops-search",
      severity: "error",
      message: `Reading its metadata fails in Airflow ${airflow} with a ${failure.type}, which ends the search: no bundle that comes behind it is found, for any Dag.`,
      mend: "Pack it again with metadata that can be read, or move it away; the command does that.",
    },
  ];
}

function failureOf(path: FilePath, offset: number, length: number): PythonFailure | undefined {
  if (length > MAX_METADATA_BYTES) return undefined;
  const { fd } = openFile(path);
  try {
    parseMetadata(readExactly(fd, offset, length));
    return undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof PythonFailure ? cause : undefined;
  } finally {
    closeSync(fd);
  }
}
