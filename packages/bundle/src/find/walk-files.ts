import { type BigIntStats, readdirSync, statSync } from "node:fs";
import { reasonOf } from "../errors.ts";

/** Text, or the raw bytes of a name that is no UTF-8. */
export type FilePath = string | Buffer;

/** A regular file, or a place that can't be looked at. */
export type WalkItem =
  | { readonly path: FilePath; readonly stats: BigIntStats }
  | { readonly path: FilePath; readonly reason: string };

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
    yield { path, stats };
  } else if (stats.isDirectory()) {
    const identity = `${stats.dev}:${stats.ino}`;
    if (seen.has(identity)) return true;
    seen.add(identity);
    yield* visitFolder(path, seen);
  }
  return true;
}

function* visitFolder(folder: FilePath, seen: Set<string>): Generator<WalkItem> {
  let children: readonly FilePath[];
  try {
    children = childrenOf(folder);
  } catch (error) {
    if (NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? "")) return;
    yield { path: folder, reason: `the folder can't be read: ${reasonOf(error)}` };
    return;
  }
  for (const child of children) yield* visit(child, seen);
}

function childrenOf(folder: FilePath): readonly FilePath[] {
  if (typeof folder === "string") {
    const names = readdirSync(folder);
    // U+FFFD stands for bytes that are no UTF-8: only the raw bytes lead to such a file
    if (!names.some((name) => name.includes("\ufffd"))) {
      return names.sort().map((name) => `${folder}/${name}`);
    }
  }
  const prefix = Buffer.concat([Buffer.from(folder), Buffer.from("/")]);
  return readdirSync(folder, { encoding: "buffer" })
    .sort(Buffer.compare)
    .map((name) => Buffer.concat([prefix, name]));
}
