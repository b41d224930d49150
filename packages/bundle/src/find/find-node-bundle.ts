import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { reasonOf } from "../errors.ts";
import { schemaVersionOf } from "../metadata/check-metadata.ts";
import { FileCache } from "./file-cache.ts";
import {
  type FindOptions,
  type FoundBundle,
  type NoBundle,
  type RejectedCandidate,
  SLICE_MS,
} from "./find-bundle.ts";
import {
  contentFaultsOf,
  type NodeReading,
  namesNodeDag,
  readNodeCandidate,
} from "./read-node-candidate.ts";
import { walkFiles } from "./walk-files.ts";

/** What Airflow 3.4's NodeCoordinator looks at; every other file is passed over. */
const NODE_BUNDLE_SUFFIX = ".min.mjs";

/** What to search for, and where. */
export interface FindNodeOptions extends Omit<FindOptions, "cache"> {
  /** Keep one for repeated searches; default none. */
  readonly cache?: NodeBundleCache | undefined;
}

/** Remembers Node bundles that were read; see {@link FileCache}. */
export class NodeBundleCache extends FileCache<NodeReading> {
  /** @param options.maxEntries - the oldest go first; default 20,000 */
  constructor({ maxEntries = 20_000 }: { readonly maxEntries?: number } = {}) {
    super(maxEntries);
  }
}

/**
 * Finds the Node bundle that runs a Dag, as the NodeCoordinator of Airflow 3.4 does: depth first,
 * entries sorted by name, the first verified `*.min.mjs` whose map `task_handlers` has the Dag id
 * and whose schema version is known.
 *
 * Rejected are candidates whose layout or metadata is broken, and those that name the Dag but can't
 * be run. Bundles of other Dags are not listed (Airflow lists them), and their sources and code are
 * not hashed (Airflow hashes every candidate).
 *
 * @throws only what `signal` is aborted with
 */
export async function findNodeBundle(options: FindNodeOptions): Promise<FoundBundle | NoBundle> {
  const { roots, dagId, knownSchemaVersions, cache, signal } = options;
  const rejected: RejectedCandidate[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of walkFiles(roots.map((root) => resolve(root)))) {
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    signal?.throwIfAborted();
    const path = item.path.toString();
    if (item.reason !== undefined) {
      rejected.push({ path, reason: item.reason });
      continue;
    }
    if (typeof item.path !== "string" || !path.endsWith(NODE_BUNDLE_SUFFIX)) continue;
    try {
      const reading = look(path, cache);
      const isNamed = namesNodeDag(reading, dagId);
      if (reading.faults.length === 0 && !isNamed) continue;
      const contentFaults = isNamed ? await contentFaultsOf(path, reading) : [];
      const { metadata } = reading;
      const faults = [...reading.faults, ...contentFaults];
      if (faults.length > 0 || metadata === undefined) throw new Error(faults.join(" "));
      const schemaVersion = schemaVersionOf(metadata, knownSchemaVersions);
      return { path: realpathSync.native(path), schemaVersion, metadata, rejected };
    } catch (error) {
      rejected.push({ path: realPath(path), reason: reasonOf(error) });
    }
  }
  return { path: null, schemaVersion: null, metadata: null, rejected };
}

/** The bundle, remembered or read. */
function look(path: string, cache: NodeBundleCache | undefined): NodeReading {
  const known = cache?.get(path, statSync(path, { bigint: true }));
  if (known !== undefined) return known;
  const reading = readNodeCandidate(path);
  cache?.set(path, reading);
  return reading;
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
