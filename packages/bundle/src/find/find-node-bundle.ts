import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { BundleReport } from "../bundle-report.ts";
import { BundleError, reasonOf } from "../errors.ts";
import { schemaVersionOf } from "../metadata/check-metadata.ts";
import { isMetadataMap } from "../metadata/values.ts";
import { type FileIdentity, identityOf, isSameFile } from "../open-file.ts";
import { readBundle } from "../read-bundle.ts";
import { FileCache } from "./file-cache.ts";
import type { FindOptions, FoundBundle, NoBundle, RejectedCandidate } from "./find-bundle.ts";
import { walkFiles } from "./walk-files.ts";

/** What Airflow 3.4's NodeCoordinator looks at; every other file is passed over. */
const NODE_BUNDLE_SUFFIX = ".min.mjs";
/** What to search for, and where. */
export interface FindNodeOptions extends Omit<FindOptions, "cache"> {
  /** Keep one for repeated searches; default none. */
  readonly cache?: NodeBundleCache | undefined;
}

/** A Node bundle that was read and verified, and which file that was. */
interface SeenNodeBundle {
  readonly identity: FileIdentity;
  readonly report: BundleReport;
}

/** Remembers Node bundles that were read; see {@link FileCache}. */
export class NodeBundleCache extends FileCache<SeenNodeBundle> {
  /** @param options.maxEntries - the oldest go first; default 256, as Airflow keeps */
  constructor({ maxEntries = 256 }: { readonly maxEntries?: number } = {}) {
    super(maxEntries);
  }
}

/**
 * Finds the Node bundle that runs a Dag, as the NodeCoordinator of Airflow 3.4 does: depth first,
 * entries sorted by name, the first verified `*.min.mjs` whose map `task_handlers` has the Dag id
 * and whose schema version is known. Rejected are the candidates that are broken, and those that
 * name the Dag but can't be run; bundles of other Dags are not listed (Airflow lists them too).
 *
 * @throws only what `signal` is aborted with
 */
export async function findNodeBundle(options: FindNodeOptions): Promise<FoundBundle | NoBundle> {
  const { roots, dagId, knownSchemaVersions, cache, signal } = options;
  const rejected: RejectedCandidate[] = [];
  for (const item of walkFiles(roots.map((root) => resolve(root)))) {
    signal?.throwIfAborted();
    const path = item.path.toString();
    if (item.reason !== undefined) {
      rejected.push({ path, reason: item.reason });
      continue;
    }
    if (typeof item.path !== "string" || !path.endsWith(NODE_BUNDLE_SUFFIX)) continue;
    try {
      const metadata = metadataOf(await look(path, cache));
      const handlers = metadata.get("task_handlers");
      if (!isMetadataMap(handlers) || !handlers.has(dagId)) continue;
      const schemaVersion = schemaVersionOf(metadata, knownSchemaVersions);
      return { path: realpathSync.native(path), schemaVersion, metadata, rejected };
    } catch (error) {
      rejected.push({ path: realPath(path), reason: reasonOf(error) });
    }
  }
  return { path: null, schemaVersion: null, metadata: null, rejected };
}

/** The bundle, remembered or read. A file that changed meanwhile is not remembered. */
async function look(path: string, cache: NodeBundleCache | undefined): Promise<BundleReport> {
  if (cache === undefined) return await readBundle(path);
  const stats = statSync(path, { bigint: true });
  const known = cache.get(path, stats);
  if (known !== undefined) return known.report;
  const report = await readBundle(path);
  if (isSameFile(statSync(path, { bigint: true }), stats)) {
    cache.set(path, { identity: identityOf(stats), report });
  }
  return report;
}

function metadataOf({ format, metadata, verified, problems }: BundleReport) {
  if (format === "node" && verified && metadata !== null) return metadata;
  const faults = problems.filter(({ fault }) => fault).map(({ message }) => message);
  const why = format === "node" ? faults.join(" ") : "It does not start as a Node bundle does.";
  throw new BundleError("bad-metadata", why);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // gone meanwhile
  }
}
