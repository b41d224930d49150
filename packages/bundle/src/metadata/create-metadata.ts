import { createHash } from "node:crypto";
import { BundleError } from "../errors.ts";
import type { MetadataInput } from "./format-metadata.ts";

/** Which tasks of a Dag a bundle can run. */
export interface DagTasks {
  readonly tasks: readonly string[];
}

/** One file of the source region. */
export interface BundleSource {
  /** How the file is called, e.g. `src/tasks.ts`; not empty, unique in a bundle. */
  readonly path: string;
  readonly data: Uint8Array | string;
}

/** What a metadata document is made of; see {@link createMetadata}. */
export interface MetadataOptions {
  readonly sdk: {
    /** Lower case, e.g. `typescript`. */
    readonly language: string;
    readonly version: string;
    /** E.g. `2026-06-16`. */
    readonly supervisorSchemaVersion: string;
  };
  /** By Dag id, at least one. */
  readonly dags: ReadonlyMap<string, DagTasks> | { readonly [dagId: string]: DagTasks };
  /** The files that the source region will hold, in its order. */
  readonly sources?: readonly BundleSource[] | undefined;
  /** Which of `sources` Airflow shows for a Dag; default the first. */
  readonly entrypointPath?: string | undefined;
  /** Which of `sources` defines a Dag, by Dag id. */
  readonly dagSourcePaths?: { readonly [dagId: string]: string } | undefined;
  /** Name of the source for Airflow 3.3; default the entry point's path. */
  readonly source?: string | undefined;
  /** Further keys, ignored by Airflow; they never replace one of ours. */
  readonly extra?: { readonly [key: string]: MetadataInput } | undefined;
}

/**
 * The metadata document that Airflow 3.3 and 3.4 both read: `dags` for the executable readers,
 * `task_handlers` for 3.4's Node reader, the index of sources for its UI.
 *
 * @throws BundleError `bad-metadata` for no Dags, empty names, or a path that is no source
 */
export function createMetadata(options: MetadataOptions): {
  readonly [key: string]: MetadataInput;
} {
  const { sdk, sources = [] } = options;
  const handlers = handlersOf(options.dags);
  const paths = sources.map((source) => source.path);
  const entrypointPath = options.entrypointPath ?? paths[0];
  for (const path of [entrypointPath, ...Object.values(options.dagSourcePaths ?? {})]) {
    if (path !== undefined && !paths.includes(path)) {
      throw bad(`the path ${JSON.stringify(path)} is none of its sources`);
    }
  }
  if (sdk.language === "" || sdk.version === "" || sdk.supervisorSchemaVersion === "") {
    throw bad("sdk.language, version and supervisorSchemaVersion must not be empty");
  }
  const indexed = sources.length > 0;
  return withoutAbsent({
    ...options.extra,
    airflow_bundle_metadata_version: "1.0",
    sdk: {
      language: sdk.language,
      version: sdk.version,
      supervisor_schema_version: sdk.supervisorSchemaVersion,
    },
    source: options.source ?? entrypointPath,
    dags: handlers,
    task_handlers: handlers,
    entrypoint_path: indexed ? entrypointPath : undefined,
    dag_source_paths: indexed ? options.dagSourcePaths : undefined,
    sources: indexed ? createSourceIndex(sources) : undefined,
  });
}

/**
 * The `sources` list: where each file lies in the source region, and its SHA-256.
 *
 * @throws BundleError `bad-metadata` for an empty path or one given twice
 */
export function createSourceIndex(sources: readonly BundleSource[]): MetadataInput {
  let offset = 0;
  const seen = new Set<string>();
  return sources.map(({ path, data }) => {
    if (path === "" || seen.has(path))
      throw bad(`the source path ${JSON.stringify(path)} is empty or given twice`);
    seen.add(path);
    const bytes = Buffer.from(data);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const entry = { path, offset, length: bytes.length, sha256 };
    offset += bytes.length;
    return entry;
  });
}

/** The source region: the files' bytes one after the other. */
export function joinSources(sources: readonly BundleSource[]): Uint8Array {
  return Buffer.concat(sources.map(({ data }) => Buffer.from(data)));
}

function handlersOf(dags: MetadataOptions["dags"]): MetadataInput {
  const entries =
    dags instanceof Map ? [...dags] : Object.entries(dags as Record<string, DagTasks>);
  if (entries.length === 0) throw bad("it must name at least one Dag");
  const handlers: Record<string, MetadataInput> = Object.create(null);
  for (const [dagId, { tasks }] of entries as [string, DagTasks][]) {
    if (dagId === "" || tasks.includes("")) throw bad("a Dag id or a task id is empty");
    handlers[dagId] = { tasks: [...tasks] };
  }
  return handlers;
}

function withoutAbsent(map: { [key: string]: MetadataInput | undefined }): {
  [key: string]: MetadataInput;
} {
  const present = Object.entries(map).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [key: string]: MetadataInput };
}

function bad(reason: string): BundleError {
  return new BundleError("bad-metadata", `createMetadata can't build the metadata: ${reason}.`);
}
