import { createHash } from "node:crypto";
import {
  BundleError,
  type BundleSource,
  createSourceIndex,
  formatMetadata,
  type MetadataInput,
  parseAsMeant,
  parseMetadata,
  parseSourceIndex,
} from "@parlance/bundle";
import { CliError, ExitCode } from "../errors.ts";
import { checkDocument, type DocumentFinding } from "./check-document.ts";
import { metadataToInput } from "./metadata-to-input.ts";

/** What the metadata region is made of. */
export interface MetadataParts {
  /** The metadata file, or the region of a bundle. */
  readonly given: Uint8Array;
  /** How the file is called in errors. */
  readonly name: string;
  /** Files that an index may be made for. */
  readonly sources: readonly BundleSource[];
  /** The source region. */
  readonly region: Uint8Array;
  readonly knownSchemaVersions: readonly string[];
  /** Takes the place of `sdk.supervisor_schema_version`. */
  readonly schemaVersion?: string | undefined;
}

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
 * can mistake a version or an id in it, and nothing has to be added; otherwise it becomes JSON, in
 * which these are text as they were written, and all else has the type that Airflow reads.
 *
 * @throws CliError `bad-metadata` with `errors`, a list of `{path, message}`; BundleError
 *   `bad-metadata` for what is no map in YAML or JSON, `bad-sources`
 */
export function prepareMetadata(parts: MetadataParts): PreparedMetadata {
  const notes: string[] = [];
  const json = parseJson(parts.given);
  const bytes =
    json === undefined
      ? fromYaml(parts, notes)
      : encode(complete(withVersion(json, parts), parts.sources));
  const metadata = parseMetadata(bytes);
  const { errors, warnings } = checkDocument(metadata, parts.knownSchemaVersions);
  refuse(errors, parts.name);
  notes.push(...warnings.map(({ path, message }) => `warning: ${path} ${message}`));
  checkSources(metadata, parts.region);
  return { bytes, notes };
}

function refuse(errors: readonly DocumentFinding[], name: string): void {
  if (errors.length === 0) return;
  const list = errors.map(({ path, message }) => `${path} ${message}`).join("; ");
  const message = `The metadata of ${name} can't be packed: ${list}.`;
  throw new CliError("bad-metadata", message, ExitCode.badInput, { errors });
}

function fromYaml(parts: MetadataParts, notes: string[]): Uint8Array {
  const { given, sources } = parts;
  parseMetadata(given); // refuses what Airflow can't read at all
  const { metadata, mistakable } = parseAsMeant(new TextDecoder().decode(given));
  const isToIndex = sources.length > 1 && !metadata.has("sources");
  if (mistakable.length === 0 && !isToIndex && parts.schemaVersion === undefined) return given;
  const document = withVersion(metadataToInput(metadata, notes), parts);
  // before any of it is written anew
  refuse(
    checkDocument(parseMetadata(encode(document)), parts.knownSchemaVersions).errors,
    parts.name,
  );
  const why =
    mistakable.length > 0
      ? `since a YAML reader may take for no text: ${mistakable.slice(0, 3).join(", ")}`
      : isToIndex
        ? `with an index of the ${sources.length} sources`
        : "with another schema version";
  notes.push(`written as JSON, ${why}`);
  return encode(complete(document, sources));
}

function parseJson(bytes: Uint8Array): Document | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined; // it may be YAML
  }
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isMap) {
    throw new BundleError("bad-metadata", "The metadata can't be packed: it is not a map.");
  }
  return value as Document;
}

function encode(document: Document): Uint8Array {
  return new TextEncoder().encode(formatMetadata(document as { [key: string]: MetadataInput }));
}

function withVersion(document: Document, { schemaVersion }: MetadataParts): Document {
  if (schemaVersion === undefined) return document;
  const sdk = document["sdk"];
  const known = typeof sdk === "object" && sdk !== null && !Array.isArray(sdk) ? sdk : {};
  return { ...document, sdk: { ...known, supervisor_schema_version: schemaVersion } };
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

function checkSources(metadata: ReturnType<typeof parseMetadata>, region: Uint8Array): void {
  for (const { path, offset, length, sha256 } of parseSourceIndex(metadata, region.length) ?? []) {
    const actual = createHash("sha256").update(region.subarray(offset, offset + length));
    if (actual.digest("hex") === sha256) continue;
    const message = `The sha256 of the source ${path} is not that of its bytes.`;
    throw new BundleError("bad-sources", message);
  }
}
