import { type BigIntStats, lstatSync, opendirSync, readlinkSync, statSync } from "node:fs";
import { reasonOf } from "../errors.ts";
import type { FilePath } from "../find/walk-files.ts";

/** What a finder comes to, in its order. */
export type Place =
  | { readonly kind: "file"; readonly path: FilePath; readonly stats: BigIntStats }
  | { readonly kind: "folder"; readonly path: FilePath }
  | { readonly kind: "seen-folder"; readonly path: FilePath }
  | { readonly kind: "unreadable-folder"; readonly path: FilePath; readonly reason: string }
  | { readonly kind: "missing-root"; readonly path: FilePath; readonly reason: string }
  | {
      readonly kind: "broken-link" | "looping-link";
      readonly path: FilePath;
      readonly target: string;
    }
  | { readonly kind: "unreadable"; readonly path: FilePath; readonly reason: string };

/**
 * In which order the entries of a folder come: as the file system gives them, or by name as Python
 * compares text, code point by code point.
 */
export type EntryOrder = "file-system" | "name";

/**
 * All that lies under some roots, depth first, links followed and each folder entered once, as the
 * finders of Airflow walk. They pass over in silence what is told here.
 */
export function* walkPlaces(roots: readonly FilePath[], order: EntryOrder): Generator<Place> {
  const seen = new Set<string>();
  for (const root of roots) yield* visit(root, true);

  function* visit(path: FilePath, isRoot: boolean): Generator<Place> {
    let stats: BigIntStats;
    try {
      stats = statSync(path, { bigint: true });
    } catch (error) {
      yield* unreachable(path, isRoot, error);
      return;
    }
    if (stats.isFile()) yield { kind: "file", path, stats };
    if (!stats.isDirectory()) return;
    const identity = `${stats.dev}:${stats.ino}`;
    if (seen.has(identity)) {
      yield { kind: "seen-folder", path };
      return;
    }
    seen.add(identity);
    let names: readonly Buffer[];
    try {
      names = namesIn(path, order);
    } catch (error) {
      yield { kind: "unreadable-folder", path, reason: reasonOf(error) };
      return;
    }
    yield { kind: "folder", path };
    for (const name of names) yield* visit(childOf(path, name), false);
  }
}

function* unreachable(path: FilePath, isRoot: boolean, error: unknown): Generator<Place> {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const reason = reasonOf(error);
  const target = linkTarget(path);
  if (target !== undefined && (code === "ENOENT" || code === "ENOTDIR")) {
    yield { kind: "broken-link", path, target };
  } else if (target !== undefined && code === "ELOOP") {
    yield { kind: "looping-link", path, target };
  } else if (isRoot) {
    yield { kind: "missing-root", path, reason };
  } else if (code !== "ENOENT") {
    yield { kind: "unreadable", path, reason };
  }
}

function linkTarget(path: FilePath): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** `readdir` would sort: only an open folder gives the order of the file system. */
function namesIn(folder: FilePath, order: EntryOrder): readonly Buffer[] {
  const names: Buffer[] = [];
  // Names come as bytes; the types know text only.
  const entries = opendirSync(folder as string, { encoding: "buffer" as BufferEncoding });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      names.push(entry.name as unknown as Buffer);
    }
  } finally {
    entries.closeSync();
  }
  // UTF-8 sorts as its code points do
  return order === "name" ? names.sort(Buffer.compare) : names;
}

function childOf(folder: FilePath, name: Buffer): FilePath {
  const path = Buffer.concat([Buffer.from(folder), Buffer.from("/"), name]);
  const text = path.toString();
  return Buffer.from(text).equals(path) ? text : path;
}
