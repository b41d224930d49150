import { BundleError } from "../errors.ts";
import { isMetadataMap, type MetadataMap, type MetadataValue, YamlDate } from "./values.ts";

/**
 * Something that is wrong with a bundle. `fault` tells whether the file itself is bad (footer,
 * digest, metadata no map); without it, Airflow would still mind, or not show what was meant.
 */
export interface BundleProblem {
  readonly code: string;
  readonly message: string;
  readonly fault: boolean;
}

/**
 * The bundle's `sdk.supervisor_schema_version`.
 *
 * @param known - versions that count; all texts when left out
 * @throws BundleError `bad-metadata` when it is missing, no text (an unquoted date), or unknown
 */
export function schemaVersionOf(metadata: MetadataMap, known?: readonly string[]): string {
  const sdk = metadata.get("sdk");
  const version = isMetadataMap(sdk) ? sdk.get("supervisor_schema_version") : undefined;
  if (typeof version !== "string" || version === "") throw noVersion(version);
  if (known !== undefined && !known.includes(version)) {
    throw new BundleError(
      "bad-metadata",
      `sdk.supervisor_schema_version is ${JSON.stringify(version)}; known here: ${known.join(", ")}.`,
    );
  }
  return version;
}

function noVersion(version: MetadataValue | undefined): BundleError {
  const what =
    version instanceof YamlDate
      ? `is ${version.iso} without quotes, which YAML reads as a date; quote it`
      : version === undefined || version === null || version === ""
        ? "is missing"
        : "is no text; quote it";
  return new BundleError("bad-metadata", `sdk.supervisor_schema_version ${what}.`);
}

/** The Dag ids that a reader finds: text keys of the map `dags`. Empty for anything else. */
export function dagIdsOf(metadata: MetadataMap): readonly string[] {
  const dags = metadata.get("dags");
  if (!isMetadataMap(dags)) return [];
  return [...dags.keys()].filter((key) => typeof key === "string");
}

/** What Airflow would mind in metadata that it can read. None of it is a `fault`. */
export function checkMetadata(
  metadata: MetadataMap,
  knownSchemaVersions?: readonly string[],
): readonly BundleProblem[] {
  const problems: BundleProblem[] = [];
  const add = (code: string, message: string): void => {
    problems.push({ code, message, fault: false });
  };
  try {
    schemaVersionOf(metadata, knownSchemaVersions);
  } catch (error) {
    add("bad-schema-version", `${(error as Error).message} Airflow will not run the bundle.`);
  }
  checkDags(metadata, add);
  return problems;
}

function checkDags(metadata: MetadataMap, add: (code: string, message: string) => void): void {
  const dags = metadata.get("dags");
  if (!isMetadataMap(dags)) {
    const what = dags === undefined ? "There is no `dags`" : "`dags` is no map";
    add("no-dags", `${what}, so Airflow finds no Dag in the bundle.`);
  } else if (dags.size === 0) {
    add("no-dags", "`dags` is empty, so Airflow finds no Dag in the bundle.");
  } else if ([...dags.keys()].some((key) => typeof key !== "string")) {
    add(
      "bad-dag-id",
      "A key of `dags` is not read as text (an unquoted number, date, yes or on): quote it, or no Dag is found by it.",
    );
  }
}
