import {
  isMetadataMap,
  type MetadataMap,
  type MetadataValue,
  YamlDate,
  YamlFloat,
} from "@parlance/bundle";

/** Something about metadata; `path` is a JSON pointer, empty for the whole. */
export interface DocumentFinding {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with a metadata document, and what one should know about it. */
export interface DocumentFindings {
  /** Airflow, or one of its versions, could not use it. */
  readonly errors: readonly DocumentFinding[];
  /** Airflow runs it; the published schema of the metadata does not allow it. */
  readonly warnings: readonly DocumentFinding[];
}

/** Looks at all of a metadata document, as strictly as a packer should. */
export function checkDocument(
  metadata: MetadataMap,
  knownSchemaVersions: readonly string[],
): DocumentFindings {
  const errors: DocumentFinding[] = [];
  const warnings: DocumentFinding[] = [];
  const error = (path: string, message: string): void => void errors.push({ path, message });
  const warn = (path: string, message: string): void => void warnings.push({ path, message });
  const version = metadata.get("airflow_bundle_metadata_version");
  checkText(version, "/airflow_bundle_metadata_version", error, warn);
  if (isText(version) && !/^0*1\.\d+(\.\d+)?$/.test(version)) {
    warn("/airflow_bundle_metadata_version", 'is not of major version 1, such as "1.0"');
  }
  checkSdk(metadata.get("sdk"), knownSchemaVersions, error, warn);
  checkHandlers(metadata, "dags", error, warn);
  if (metadata.has("task_handlers")) checkHandlers(metadata, "task_handlers", error, warn);
  else warn("/task_handlers", "is missing; a Node bundle of Airflow 3.4 would need it");
  return { errors, warnings };
}

type Tell = (path: string, message: string) => void;

function checkSdk(
  sdk: MetadataValue | undefined,
  known: readonly string[],
  error: Tell,
  warn: Tell,
): void {
  if (!isMetadataMap(sdk)) {
    error("/sdk", sdk === undefined ? "is missing" : `is ${shown(sdk)}, and must be a map`);
    return;
  }
  const language = sdk.get("language");
  checkText(language, "/sdk/language", error, warn);
  if (isText(language) && !/^[a-z][a-z0-9_+.-]*$/.test(language)) {
    warn("/sdk/language", `is ${shown(language)}; lower case is usual, such as "go"`);
  }
  checkText(sdk.get("version"), "/sdk/version", error, warn);
  const version = sdk.get("supervisor_schema_version");
  const path = "/sdk/supervisor_schema_version";
  if (version === undefined || version === null) error(path, "is missing");
  else if (!isText(version)) error(path, `is ${shown(version)}, and must be a text; quote it`);
  else if (!known.includes(version)) {
    error(path, `is ${shown(version)}; known here: ${known.join(", ")}`);
  }
}

function checkText(value: MetadataValue | undefined, path: string, error: Tell, warn: Tell): void {
  if (value === undefined) warn(path, "is missing");
  else if (!isText(value)) error(path, `is ${shown(value)}, and must be a text; quote it`);
}

function checkHandlers(metadata: MetadataMap, name: string, error: Tell, warn: Tell): void {
  const dags = metadata.get(name);
  if (!isMetadataMap(dags)) {
    const what = dags === undefined ? "is missing" : `is ${shown(dags)}`;
    error(`/${name}`, `${what}, and must be a map of Dag ids`);
    return;
  }
  if (dags.size === 0) error(`/${name}`, "names no Dag");
  for (const [dagId, entry] of dags) {
    if (!isText(dagId)) {
      error(`/${name}`, `has the key ${shown(dagId)}, which is no text, or empty; quote it`);
      continue;
    }
    const path = `/${name}/${escapePointer(dagId)}`;
    const tasks = isMetadataMap(entry) ? entry.get("tasks") : entry;
    if (tasks === undefined || tasks === null) {
      warn(path, "names no tasks");
    } else if (!Array.isArray(tasks)) {
      error(`${path}/tasks`, `is ${shown(tasks)}, and must be a list of task ids`);
    } else checkTasks(tasks as readonly MetadataValue[], `${path}/tasks`, error, warn);
  }
}

function checkTasks(tasks: readonly MetadataValue[], path: string, error: Tell, warn: Tell): void {
  if (tasks.length === 0) warn(path, "is empty");
  for (const [at, task] of tasks.entries()) {
    if (!isText(task)) error(`${path}/${at}`, `is ${shown(task)}, and must be a text; quote it`);
  }
}

function isText(value: MetadataValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** What a value is, short. */
function shown(value: MetadataValue): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof YamlDate) return `the date ${value.iso}`;
  if (value instanceof YamlFloat) return `the number ${value.value}`;
  if (Array.isArray(value)) return "a list";
  return isMetadataMap(value) ? "a map" : "no text";
}
