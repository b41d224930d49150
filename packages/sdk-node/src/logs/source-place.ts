import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A line of a file. */
export interface Place {
  readonly file: string;
  /** The first is 1. */
  readonly line: number;
}

/** Larger programs are not searched for a map: an executable with Node.js inside is 100 MB. */
const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

/** What a bundler puts at the end of a program: where its map is. */
const MAP_COMMENT = /^\/\/# sourceMappingURL=(\S+)[ \t]*$/gm;
const INLINE_MAP = /^data:application\/json[^,]*?(;base64)?,/;

/** Maps by program; null where there is none. A program is looked at for its first error only. */
const maps = new Map<string, SourceMap | null>();

/**
 * The place in the source of a place in a program, by the program's source map: inline at its end, or
 * in the file that it names. Otherwise the place itself. What `parlance pack` makes has such places in
 * its stacks already; this is for programs of other bundlers, without `--enable-source-maps`.
 *
 * Never throws: a map that cannot be read is none.
 *
 * @param file - path or URL, as in a stack
 * @param line - from 1, as in a stack
 * @param column - from 1
 */
export function sourcePlace(file: string, line: number, column: number): Place {
  try {
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (!isAbsolute(path)) return { file, line };
    const entry = mapOf(path)?.findEntry(line - 1, column - 1);
    if (entry === undefined || !("originalSource" in entry)) return { file: path, line };
    const { originalSource, originalLine } = entry;
    return { file: originalSource, line: originalLine + 1 };
  } catch {
    return { file: file.replace(/^file:\/\//, ""), line };
  }
}

function mapOf(path: string): SourceMap | null {
  let map = maps.get(path);
  if (map === undefined) {
    maps.set(path, null); // also when the reading fails
    map = readMap(path);
    maps.set(path, map);
  }
  return map;
}

function readMap(path: string): SourceMap | null {
  const program = readFileSync(path);
  if (program.length > MAX_PROGRAM_BYTES) return null;
  const url = [...program.toString("utf8").matchAll(MAP_COMMENT)].at(-1)?.[1];
  if (url === undefined) return null;
  const inline = INLINE_MAP.exec(url);
  const file = url.startsWith("file:") ? fileURLToPath(url) : resolve(dirname(path), url);
  const json =
    inline === null
      ? readFileSync(file, "utf8")
      : inline[1] === undefined
        ? decodeURIComponent(url.slice(inline[0].length))
        : Buffer.from(url.slice(inline[0].length), "base64").toString("utf8");
  const payload = JSON.parse(json) as ConstructorParameters<typeof SourceMap>[0];
  const { sourceRoot = "" } = payload;
  const root = sourceRoot.startsWith("file:") ? fileURLToPath(sourceRoot) : sourceRoot;
  const folder = resolve(dirname(inline === null ? file : path), root);
  const sources = payload.sources.map((source) => {
    return source.startsWith("file:") ? fileURLToPath(source) : resolve(folder, source);
  });
  return new SourceMap({ ...payload, sourceRoot: "", sources });
}
