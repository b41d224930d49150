import { isSchemaVersion, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { parse } from "yaml";
import { DIMENSIONS, DIMENSIONS_BY_NAME } from "./dimensions.ts";

/** What a runtime says of one dimension. */
export interface DeclaredDimension {
  readonly supported: boolean;
  /** Version of Airflow since which it holds; null where it does not matter. Absent when unsupported. */
  readonly since?: string | null;
  /** Version of the SDK since which it holds. */
  readonly sdkVersion?: string;
  readonly note?: string;
}

/** A `capabilities.yaml`. */
export interface Capabilities {
  /** Short name of the SDK, e.g. `go`. */
  readonly sdk: string;
  readonly minAirflowVersion: string;
  readonly supervisorSchemaVersion: SchemaVersion;
  /** Every dimension by name. */
  readonly dimensions: ReadonlyMap<string, DeclaredDimension>;
}

/** One thing that is wrong with a `capabilities.yaml`. */
export interface CapabilitiesProblem {
  /** JSON pointer into the document. */
  readonly path: string;
  readonly message: string;
}

/** A `capabilities.yaml` can't be used: `problems` has everything that is wrong with it. */
export class CapabilitiesError extends Error {
  readonly problems: readonly CapabilitiesProblem[];

  constructor(problems: readonly CapabilitiesProblem[]) {
    super(problems.map(({ path, message }) => `${path || "the file"}: ${message}`).join("\n"));
    this.problems = problems;
  }
}
Object.defineProperty(CapabilitiesError.prototype, "name", { value: "CapabilitiesError" });

type Fields = { readonly [key: string]: unknown };

const TOP = ["sdk", "min_airflow_version", "supervisor_schema_version", "states", "capabilities"];
const ENTRY = ["supported", "since", "sdk_version", "note"];

/**
 * Reads a `capabilities.yaml`: `sdk`, `min_airflow_version`, `supervisor_schema_version`, and the maps `states` and
 * `capabilities`, which have exactly the known dimensions. An entry has `supported`, and may have `since` (not where it
 * is unsupported), `sdk_version` and `note`.
 *
 * @throws CapabilitiesError with every problem of the file
 */
export function readCapabilities(text: string): Capabilities {
  let root: unknown;
  try {
    root = parse(text);
  } catch (error) {
    throw new CapabilitiesError([{ path: "", message: `no YAML: ${(error as Error).message}` }]);
  }
  const problems: CapabilitiesProblem[] = [];
  const note = (path: string, message: string): void => {
    problems.push({ path, message });
  };
  const fields = asMap(root, "", note);
  for (const key of unknownKeys(fields, TOP))
    note(`/${key}`, `is unknown; known: ${TOP.join(", ")}`);
  const sdk = asText(fields, "sdk", note);
  const minAirflowVersion = asText(fields, "min_airflow_version", note);
  const version = asText(fields, "supervisor_schema_version", note);
  if (version !== "" && !isSchemaVersion(version)) {
    note(
      "/supervisor_schema_version",
      `${version} is unknown; known: ${SCHEMA_VERSIONS.join(", ")}`,
    );
  }
  const dimensions = new Map([
    ...readGroup(fields, "states", note),
    ...readGroup(fields, "capabilities", note),
  ]);
  if (problems.length > 0) throw new CapabilitiesError(problems);
  return { sdk, minAirflowVersion, supervisorSchemaVersion: version as SchemaVersion, dimensions };
}

type Note = (path: string, message: string) => void;

function readGroup(
  fields: Fields,
  group: "states" | "capabilities",
  note: Note,
): [string, DeclaredDimension][] {
  const written = asMap(fields[group], `/${group}`, note);
  const belongs = (name: string): boolean => {
    const dimension = DIMENSIONS_BY_NAME.get(name);
    return dimension !== undefined && (dimension.group === "states") === (group === "states");
  };
  const known = DIMENSIONS.map(({ name }) => name).filter(belongs);
  for (const key of unknownKeys(written, known)) note(`/${group}/${key}`, "is no known dimension");
  return known.flatMap((name): [string, DeclaredDimension][] => {
    if (written[name] !== undefined)
      return [[name, readEntry(written[name], `/${group}/${name}`, note)]];
    note(
      `/${group}/${name}`,
      "is missing; every dimension has to be there, with supported: false too",
    );
    return [];
  });
}

function readEntry(value: unknown, path: string, note: Note): DeclaredDimension {
  const entry = asMap(value, path, note);
  for (const key of unknownKeys(entry, ENTRY))
    note(`${path}/${key}`, `is unknown; known: ${ENTRY.join(", ")}`);
  const { supported, since, sdk_version: sdkVersion, note: words } = entry;
  if (typeof supported !== "boolean") note(`${path}/supported`, "has to be true or false");
  if (supported === false && since !== undefined)
    note(`${path}/since`, "has no place where it is unsupported");
  if (since !== undefined && since !== null && typeof since !== "string") {
    note(`${path}/since`, "has to be text or null: put the version in quotes");
  }
  for (const [key, text] of [
    ["sdk_version", sdkVersion],
    ["note", words],
  ] as const) {
    if (text !== undefined && typeof text !== "string") note(`${path}/${key}`, "has to be text");
  }
  return {
    supported: supported === true,
    ...(since !== undefined && { since: since as string | null }),
    ...(typeof sdkVersion === "string" && { sdkVersion }),
    ...(typeof words === "string" && { note: words }),
  };
}

function asMap(value: unknown, path: string, note: Note): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  note(path, value === undefined ? "is missing" : "has to be a map");
  return {};
}

function asText(fields: Fields, key: string, note: Note): string {
  const value = fields[key];
  if (typeof value === "string" && value !== "") return value;
  note(`/${key}`, value === undefined ? "is missing" : "has to be text: put it in quotes");
  return "";
}

const unknownKeys = (fields: Fields, known: readonly string[]): string[] =>
  Object.keys(fields).filter((key) => !known.includes(key));
