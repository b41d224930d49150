import { createHash } from "node:crypto";
import {
  BundleError,
  type BundleSource,
  createSourceIndex,
  formatMetadata,
  isMetadataMap,
  joinSources,
  type MetadataInput,
  type MetadataMap,
  type MetadataValue,
  parseAsMeant,
  parseMetadata,
  parseSourceIndex,
  schemaVersionOf,
  YamlDate,
  YamlDateTime,
  YamlFloat,
} from "@parlance/bundle";

/** The metadata region, and what the user should know about it. */
export interface PreparedMetadata {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

type Document = { [key: string]: MetadataInput | undefined };

/**
 * Makes the metadata region from a file.
 *
 * JSON is data: it is completed and written anew. YAML is a text that somebody wrote, maybe with
 * an ending that hides the footer from an interpreter: its bytes are kept as long as no YAML reader
 * can mistake a version or an id in it; otherwise it becomes JSON, in which these are text as they
 * were written, and all else has the type that Airflow reads.
 *
 * @throws BundleError `bad-metadata`, `bad-sources` for what Airflow could not use
 */
export function prepareMetadata(
  given: Uint8Array,
  sources: readonly BundleSource[],
  knownSchemaVersions: readonly string[],
): PreparedMetadata {
  const notes: string[] = [];
  const json = parseJson(given);
  const bytes =
    json === undefined
      ? fromYaml(given, sources, knownSchemaVersions, notes)
      : encode(complete(json, sources));
  const metadata = parseMetadata(bytes);
  checkDocument(metadata, knownSchemaVersions, notes);
  checkSources(metadata, sources);
  return { bytes, notes };
}

function fromYaml(
  given: Uint8Array,
  sources: readonly BundleSource[],
  knownSchemaVersions: readonly string[],
  notes: string[],
): Uint8Array {
  parseMetadata(given); // refuses what Airflow can't read at all
  const { metadata, mistakable } = parseAsMeant(new TextDecoder().decode(given));
  checkDocument(metadata, knownSchemaVersions, []); // before any of it is written anew
  if (mistakable.length === 0) return given;
  const shown = mistakable.slice(0, 3).join(", ");
  notes.push(`written as JSON, since a YAML reader may take for no text: ${shown}`);
  return encode(complete(toInput(metadata, "", notes) as Document, sources));
}

function parseJson(bytes: Uint8Array): Document | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined; // it may be YAML
  }
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isMap) throw bad("it is not a map at its top");
  return value as Document;
}

function encode(document: Document): Uint8Array {
  return new TextEncoder().encode(formatMetadata(document as { [key: string]: MetadataInput }));
}

/** Adds what is missing and can be known: the handlers, and where the sources are. */
function complete(document: Document, sources: readonly BundleSource[]): Document {
  const completed: Document = { airflow_bundle_metadata_version: "1.0", ...document };
  completed["task_handlers"] ??= document["dags"];
  const [first] = sources;
  if (first !== undefined && document["sources"] === undefined) {
    completed["source"] ??= first.path;
    completed["entrypoint_path"] ??= first.path;
    completed["sources"] = createSourceIndex(sources);
  }
  return completed;
}

function toInput(value: MetadataValue, path: string, notes: string[]): MetadataInput {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return value;
  if (value instanceof YamlFloat) return value.value;
  if (value instanceof YamlDate || value instanceof YamlDateTime) {
    notes.push(`the date at ${path} became text: ${value.iso}`);
    return value.iso;
  }
  if (Array.isArray(value)) {
    return (value as readonly MetadataValue[]).map((item, at) =>
      toInput(item, `${path}/${at}`, notes),
    );
  }
  if (!isMetadataMap(value)) throw bad(`the value at ${path} is no text; quote it`);
  const entries = [...value].map(([key, item]) => {
    if (typeof key !== "string") throw bad(`a key at ${path || "the top"} is no text; quote it`);
    return [key, toInput(item, `${path}/${key}`, notes)] as const;
  });
  return Object.fromEntries(entries);
}

function checkDocument(metadata: MetadataMap, known: readonly string[], notes: string[]): void {
  schemaVersionOf(metadata, known);
  const sdk = metadata.get("sdk") as MetadataMap;
  for (const key of ["language", "version"]) {
    const value = sdk.get(key);
    if (value === undefined) notes.push(`warning: there is no sdk.${key}`);
    else if (!isText(value)) throw bad(`sdk.${key} is no text; quote it`);
  }
  const version = metadata.get("airflow_bundle_metadata_version");
  if (version === undefined) notes.push("warning: there is no airflow_bundle_metadata_version");
  else if (!isText(version)) throw bad("airflow_bundle_metadata_version is no text; quote it");
  checkHandlers(metadata, "dags", notes);
  if (metadata.has("task_handlers")) checkHandlers(metadata, "task_handlers", notes);
  else notes.push("warning: there is no task_handlers");
}

function checkHandlers(metadata: MetadataMap, name: string, notes: string[]): void {
  const dags = metadata.get(name);
  if (!isMetadataMap(dags) || dags.size === 0)
    throw bad(`\`${name}\` must be a map with a Dag in it`);
  for (const [dagId, entry] of dags) {
    if (!isText(dagId)) throw bad(`a key of \`${name}\` is no text; quote it`);
    const tasks = isMetadataMap(entry) ? entry.get("tasks") : entry;
    if (tasks === undefined || tasks === null) {
      notes.push(`warning: \`${name}\` names no tasks for ${dagId}`);
    } else if (!Array.isArray(tasks) || !tasks.every(isText)) {
      throw bad(`the tasks of ${dagId} in \`${name}\` are no list of texts; quote them`);
    }
  }
}

function checkSources(metadata: MetadataMap, sources: readonly BundleSource[]): void {
  const region = joinSources(sources);
  for (const { path, offset, length, sha256 } of parseSourceIndex(metadata, region.length) ?? []) {
    const actual = createHash("sha256").update(region.subarray(offset, offset + length));
    if (actual.digest("hex") !== sha256) {
      throw new BundleError(
        "bad-sources",
        `The sha256 of the source ${path} is not that of its bytes.`,
      );
    }
  }
}

function isText(value: MetadataValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `The metadata can't be packed: ${reason}.`);
}
