import { isUtf8 } from "node:buffer";
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  realpathSync,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { BundleError, reasonOf } from "../errors.ts";
import { hashRegion } from "../hash-region.ts";
import { schemaVersionOf } from "../metadata/check-metadata.ts";
import type { LazyMetadata } from "../metadata/lazy-metadata.ts";
import { pythonKey } from "../metadata/python-keys.ts";
import { buildScalar, tagOfPlain } from "../metadata/resolve-scalar.ts";
import { isMetadataMap, type MetadataMap } from "../metadata/values.ts";
import { type FileIdentity, isSameFile, openFile } from "../open-file.ts";
import type { BundleCache, BundleReading, Reading, SeenFile } from "./bundle-cache.ts";
import { hasExecuteBit, readCandidate } from "./read-candidate.ts";
import { type FilePath, walkFiles } from "./walk-files.ts";

/** How long the search may keep the event loop, in milliseconds. */
export const SLICE_MS = 8;

/** What to search for, and where. */
export interface FindOptions {
  /** Folders (or single files) to search, in this order. */
  readonly roots: readonly string[];
  readonly dagId: string;
  /** Schema versions that are run; without them every text is taken. */
  readonly knownSchemaVersions?: readonly string[] | undefined;
  /** Keep one for repeated searches; default none. */
  readonly cache?: BundleCache | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file or folder that could have held the bundle and was passed over. */
export interface RejectedCandidate {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly reason: string;
}

/** The bundle that runs the Dag, and what was passed over before it. */
export interface FoundBundle {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly schemaVersion: string;
  readonly metadata: MetadataMap;
  readonly rejected: readonly RejectedCandidate[];
}

/** No bundle runs the Dag; `rejected` may say why. */
export interface NoBundle {
  readonly path: null;
  readonly schemaVersion: null;
  readonly metadata: null;
  readonly rejected: readonly RejectedCandidate[];
}

/**
 * Finds the executable bundle that runs a Dag, as stock Airflow 3.3 does: the first regular file
 * with an execute bit whose footer is good, whose executable region has the footer's digest, whose
 * metadata has the Dag id as a text key of the map `dags`, and whose schema version is known. Where
 * Airflow goes on in silence, the reason is kept in `rejected`.
 *
 * Rejected are: a file that ends with the magic but has a bad footer or unreadable metadata, one
 * that names the Dag but has a bad digest or schema version, and what can't be read. Files that are
 * no bundles, and bundles of other Dags, are neither; only a bundle that names the Dag is hashed.
 * Entries are taken sorted by name, where Airflow takes the operating system's order.
 *
 * @throws only what `signal` is aborted with
 */
export async function findBundle(options: FindOptions): Promise<FoundBundle | NoBundle> {
  const { roots, dagId, knownSchemaVersions, cache, signal } = options;
  const rejected: RejectedCandidate[] = [];
  const reject = (path: FilePath, reason: string): void => {
    const entry = { path: resolved(path).text, reason };
    const known = rejected.some((one) => one.path === entry.path && one.reason === reason);
    if (!known) rejected.push(entry);
  };
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of walkFiles(roots.map((root) => resolve(root)))) {
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    signal?.throwIfAborted();
    if (item.reason !== undefined) {
      reject(item.path, item.reason);
      continue;
    }
    try {
      const file = look(item.path, cache);
      if (file === undefined || !offersDag(item.path, file.reading, dagId)) continue;
      const metadata = file.reading.metadata.read();
      await checkDigest(item.path, file.reading, file.identity);
      const schemaVersion = schemaVersionOf(metadata, knownSchemaVersions);
      const { text: path, isText } = resolved(item.path);
      if (isText) return { path, schemaVersion, metadata, rejected };
      reject(item.path, "The file's name is no UTF-8 and can't be started from here: rename it.");
    } catch (error) {
      reject(item.path, reasonOf(error));
    }
  }
  return { path: null, schemaVersion: null, metadata: null, rejected };
}

/**
 * What a file holds, remembered or read; undefined for one that has gone.
 *
 * @throws BundleError `cannot-read`
 */
function look(path: FilePath, cache: BundleCache | undefined): SeenFile | undefined {
  const stats = cache === undefined ? undefined : statusOf(path);
  const known = stats === undefined ? undefined : cache?.get(path, stats);
  if (known !== undefined) return known;
  try {
    const seen = readCandidate(path);
    cache?.set(path, seen);
    return seen;
  } catch (error) {
    // what nobody may run need not be readable
    if (hasExecuteBit(statusOf(path))) throw error;
    return undefined;
  }
}

function statusOf(path: FilePath): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Whether it is a bundle that names the Dag and that this process may run.
 *
 * @throws BundleError with the reason of a rejection
 */
function offersDag(path: FilePath, reading: Reading, dagId: string): reading is BundleReading {
  if (reading.kind === "no-bundle") return false;
  if (reading.kind === "broken") {
    if (!mayRun(path)) return false;
    throw new BundleError("bad-metadata", reading.reason);
  }
  return namesDag(reading.metadata, dagId) && mayRun(path);
}

/** As the process, not by the bits alone: a noexec mount counts, and the owner does. */
function mayRun(path: FilePath): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function namesDag(metadata: LazyMetadata, dagId: string): boolean {
  if (!metadata.mayOffer(dagId)) return false;
  const dags = metadata.read().get("dags");
  if (!isMetadataMap(dags)) {
    if (dags === undefined || dags === null) return false;
    throw new BundleError("bad-metadata", "`dags` is no map: the bundle offers no Dag.");
  }
  if (dags.has(dagId)) return true;
  const tag = tagOfPlain(dagId);
  if (tag === "str" || tag === "merge" || tag === "value") return false;
  // the id without quotes is a number, a date, a boolean or null to YAML
  let token: ReturnType<typeof pythonKey>;
  try {
    token = pythonKey(buildScalar(tag, dagId));
  } catch {
    return false;
  }
  if (![...dags.keys()].some((key) => pythonKey(key) === token)) return false;
  throw new BundleError(
    "bad-metadata",
    `\`dags\` has ${dagId} without quotes, which YAML does not read as text; quote it.`,
  );
}

/**
 * Hashes the executable region if that was not done yet, and compares.
 *
 * @throws BundleError `changed` when the file is not the one any more that was read
 */
async function checkDigest(
  path: FilePath,
  reading: BundleReading,
  identity: FileIdentity,
): Promise<void> {
  reading.actualSha256 ??= await hashFile(path, reading.regions.executable.length, identity);
  if (reading.actualSha256 !== reading.footer.binarySha256) {
    throw new BundleError(
      "digest-mismatch",
      `The executable region has the SHA-256 ${reading.actualSha256}, not the footer's: it was changed after packing (strip, a signature) or is damaged.`,
    );
  }
}

async function hashFile(path: FilePath, length: number, identity: FileIdentity): Promise<string> {
  const { fd, stats } = openFile(path);
  try {
    const digest = isSameFile(stats, identity) ? await hashRegion(fd, length) : undefined;
    if (digest !== undefined && isSameFile(fstatSync(fd, { bigint: true }), identity))
      return digest;
    throw new BundleError("changed", "The file changed while it was read.");
  } finally {
    closeSync(fd);
  }
}

function resolved(path: FilePath): { readonly text: string; readonly isText: boolean } {
  try {
    const bytes = realpathSync.native(path, "buffer");
    return { text: bytes.toString(), isText: isUtf8(bytes) };
  } catch {
    return { text: path.toString(), isText: typeof path === "string" };
  }
}
