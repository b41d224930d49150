import { isUtf8 } from "node:buffer";
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  realpathSync,
} from "node:fs";
import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { BundleError, reasonOf } from "../errors.ts";
import { hashRegion } from "../hash-region.ts";
import { schemaVersionOf } from "../metadata/check-metadata.ts";
import { pythonKey } from "../metadata/python-keys.ts";
import { buildScalar, tagOfPlain } from "../metadata/resolve-scalar.ts";
import { isMetadataMap, type MetadataMap } from "../metadata/values.ts";
import { identityOf } from "../open-file.ts";
import type { BundleCache, Reading } from "./bundle-cache.ts";
import { type Candidate, openCandidate } from "./read-candidate.ts";
import { type FilePath, walkFiles } from "./walk-files.ts";

/** How long the search may keep the event loop, in milliseconds. */
const SLICE_MS = 8;

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
    if ("reason" in item) {
      reject(item.path, item.reason);
      continue;
    }
    try {
      const verdict = await judge(item.path, item.stats, dagId, cache);
      if (verdict === undefined) continue;
      const schemaVersion = schemaVersionOf(verdict, knownSchemaVersions);
      const { text: path, isText } = resolved(item.path);
      if (isText) return { path, schemaVersion, metadata: verdict, rejected };
      reject(item.path, "The file's name is no UTF-8 and can't be started from here: rename it.");
    } catch (error) {
      reject(item.path, reasonOf(error));
    }
  }
  return { path: null, schemaVersion: null, metadata: null, rejected };
}

/**
 * The metadata of a good bundle that names the Dag; undefined for what is no candidate.
 *
 * @throws BundleError with the reason of a rejection
 */
async function judge(
  path: FilePath,
  stats: BigIntStats,
  dagId: string,
  cache: BundleCache | undefined,
): Promise<MetadataMap | undefined> {
  if ((stats.mode & 0o111n) === 0n) return undefined; // nobody may run it
  let candidate: Candidate | undefined;
  let reading = cache?.get(stats);
  try {
    if (reading === undefined) {
      candidate = openCandidate(path);
      reading = candidate.reading;
      cache?.set(candidate.stats, reading);
    }
    if (reading.kind === "no-bundle") return undefined;
    if (reading.kind === "broken") {
      if (!mayRun(path)) return undefined;
      throw new BundleError("bad-metadata", reading.reason);
    }
    if (!namesDag(reading.metadata, dagId) || !mayRun(path)) return undefined;
    candidate = await checkDigest(path, reading, candidate);
    return reading.metadata;
  } finally {
    if (candidate !== undefined) closeSync(candidate.fd);
  }
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

function namesDag(metadata: MetadataMap, dagId: string): boolean {
  const dags = metadata.get("dags");
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

/** Hashes the executable region if that was not done yet, and compares. */
async function checkDigest(
  path: FilePath,
  reading: Extract<Reading, { kind: "bundle" }>,
  opened: Candidate | undefined,
): Promise<Candidate | undefined> {
  let candidate = opened;
  if (reading.actualSha256 === undefined) {
    candidate ??= openCandidate(path);
    const digest = await hashRegion(candidate.fd, reading.regions.executable.length);
    const after = fstatSync(candidate.fd, { bigint: true });
    if (identityOf(after) !== identityOf(candidate.stats)) {
      throw new BundleError("changed", "The file changed while it was read.");
    }
    reading.actualSha256 = digest;
  }
  if (reading.actualSha256 !== reading.footer.binarySha256) {
    throw new BundleError(
      "digest-mismatch",
      `The executable region has the SHA-256 ${reading.actualSha256}, not the footer's: it was changed after packing (strip, a signature) or is damaged.`,
    );
  }
  return candidate;
}

function resolved(path: FilePath): { readonly text: string; readonly isText: boolean } {
  try {
    const bytes = realpathSync.native(path, "buffer");
    return { text: bytes.toString(), isText: isUtf8(bytes) };
  } catch {
    return { text: path.toString(), isText: typeof path === "string" };
  }
}
