import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { BundleReport } from "../bundle-report.ts";
import { BundleError, reasonOf } from "../errors.ts";
import { schemaVersionOf } from "../metadata/check-metadata.ts";
import { isMetadataMap } from "../metadata/values.ts";
import { type FileIdentity, identityOf, isSameFile } from "../open-file.ts";
import { readBundle } from "../read-bundle.ts";
import type { FoundBundle, NoBundle, RejectedCandidate } from "./find-bundle.ts";
import { walkFiles } from "./walk-files.ts";

/** What Airflow 3.4's NodeCoordinator looks at; every other file is passed over. */
const NODE_BUNDLE_SUFFIX = ".min.mjs";
/** Younger files are read again: their clock may not tell two writes apart. */
const MIN_AGE_MS = 100;

/** What to search for, and where. */
export interface FindNodeOptions {
  /** Folders (or single files) to search, in this order. */
  readonly roots: readonly string[];
  readonly dagId: string;
  /** Schema versions that are run; without them every text is taken. */
  readonly knownSchemaVersions?: readonly string[] | undefined;
  /** Keep one for repeated searches; default none. */
  readonly cache?: NodeBundleCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Remembers Node bundles that were read, as long as device, inode, size and the times of change in
 * nanoseconds are the same.
 */
export class NodeBundleCache {
  readonly maxEntries: number;
  readonly #files = new Map<
    string,
    { readonly identity: FileIdentity; readonly report: BundleReport }
  >();

  /** @param options.maxEntries - the oldest go first; default 256, as Airflow keeps */
  constructor({ maxEntries = 256 }: { readonly maxEntries?: number } = {}) {
    this.maxEntries = maxEntries;
  }

  /** Reads and verifies the bundle, unless that was done and the file is the same. @internal */
  async read(path: string): Promise<BundleReport> {
    const stats = statSync(path, { bigint: true });
    const known = this.#files.get(path);
    if (known !== undefined && isSameFile(known.identity, stats)) return known.report;
    const report = await readBundle(path);
    const isSettled = Date.now() - Number(stats.ctimeNs / 1_000_000n) >= MIN_AGE_MS;
    const isSame = isSameFile(statSync(path, { bigint: true }), stats);
    if (!isSettled || !isSame) return report;
    if (this.#files.size >= this.maxEntries && !this.#files.has(path)) {
      const [oldest] = this.#files.keys();
      if (oldest !== undefined) this.#files.delete(oldest);
    }
    this.#files.set(path, { identity: identityOf(stats), report });
    return report;
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
      const report = await (cache === undefined ? readBundle(path) : cache.read(path));
      const metadata = metadataOf(report);
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
