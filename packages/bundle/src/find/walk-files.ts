import { type BigIntStats, readdirSync, statSync } from "node:fs";
import { reasonOf } from "../errors.ts";

/** Text, or the raw bytes of a name that is no UTF-8. */
export type FilePath = string | Buffer;

/** A regular file, or, with the reason, a place that can't be looked at. */
export interface WalkItem {
  readonly path: FilePath;
  readonly reason?: string;
}

/** Gone again, or a link that leads nowhere or in a circle: nothing to run, nothing to tell. */
const NOTHING_THERE: readonly string[] = ["ENOENT", "ELOOP", "ENOTDIR"];

/**
 * All regular files under some roots, depth first, links followed, each folder once (a link loop
 * ends). Stock Airflow takes entries as the operating system gives them; here they are sorted by
 * name, so that a search has one answer. A root may be a file.
 */
export function* walkFiles(roots: readonly FilePath[]): Generator<WalkItem> {
  const seen = new Set<string>();
  for (const root of roots) {
    const missing = { path: root, reason: "there is no such file or folder" };
    if (!(yield* visit(root, seen))) yield missing;
  }
}

/** false when nothing is at the path */
function* visit(path: FilePath, seen: Set<string>): Generator<WalkItem, boolean> {
  let stats: BigIntStats;
  try {
    stats = statSync(path, { bigint: true });
  } catch (error) {
    if (NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    yield { path, reason: `can't be looked at: ${reasonOf(error)}` };
    return true;
  }
  if (stats.isFile()) {
    yield { path };
  } else if (stats.isDirectory()) {
    const identity = `${stats.dev}:${stats.ino}`;
    if (seen.has(identity)) return true;
    seen.add(identity);
    yield* visitFolder(path, seen);
  }
  return true;
}

function* visitFolder(folder: FilePath, seen: Set<string>): Generator<WalkItem> {
  let children: readonly Child[];
  try {
    children = childrenOf(folder);
  } catch (error) {
    if (NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? "")) return;
    yield { path: folder, reason: `the folder can't be read: ${reasonOf(error)}` };
    return;
  }
  for (const { path, isFile } of children) {
    if (isFile) yield { path };
    else yield* visit(path, seen);
  }
}

interface Child {
  readonly path: FilePath;
  /** A regular file; anything else, a link too, has to be looked at. */
  readonly isFile: boolean;
}

function childrenOf(folder: FilePath): readonly Child[] {
  if (typeof folder === "string") {
    const entries = readdirSync(folder, { withFileTypes: true });
    // U+FFFD stands for bytes that are no UTF-8: only the raw bytes lead to such a file
    if (!entries.some(({ name }) => name.includes("\ufffd"))) {
      return entries
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map((entry) => ({ path: `${folder}/${entry.name}`, isFile: entry.isFile() }));
    }
  }
  const prefix = Buffer.concat([Buffer.from(folder), Buffer.from("/")]);
  return readdirSync(folder, { encoding: "buffer", withFileTypes: true })
    .sort((one, other) => Buffer.compare(one.name, other.name))
    .map((entry) => ({ path: Buffer.concat([prefix, entry.name]), isFile: entry.isFile() }));
}
