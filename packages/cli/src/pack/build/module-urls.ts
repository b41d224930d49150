import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { decode } from "@jridgewell/sourcemap-codec";
import type { SourceMap } from "./source-map.ts";

/** What the program calls its own URL: set by its first line, whatever the format. */
export const MODULE_URL = "__parlanceModuleUrl";

/** A `new URL("./file", import.meta.url)` of a program that names a file which is there at build time. */
export interface ModuleUrl {
  /** The whole expression in the program; of a worker with the `new Worker(` before it. */
  readonly start: number;
  readonly end: number;
  /** As it was written: `./file`. */
  readonly path: string;
  /** The file, from the project's folder. */
  readonly file: string;
  /** Where it stands: file and line, from the project's folder. */
  readonly source: string;
  readonly line: number;
  /** The class, where the expression is the first argument of `new Worker(`. */
  readonly workerClass: string | undefined;
}

/** esbuild prints every such expression in this way, whatever way it was written. */
const EXPRESSION = new RegExp(
  String.raw`(new ((?:[\w$]+\.)?Worker\d*)\(\s*)?new URL\((["'\x60])((?:\\.|(?!\3|\\|\$\{).)*)\3,\s*${MODULE_URL}\)`,
  "g",
);

/**
 * Finds the files that a program looks for beside its own source: they are not in the bundle.
 *
 * @param program - as esbuild has printed it
 */
export async function findModuleUrls(
  program: string,
  map: SourceMap,
  projectFolder: string,
): Promise<ModuleUrl[]> {
  const found: ModuleUrl[] = [];
  let segments: ReturnType<typeof decode> | undefined;
  for (const match of program.matchAll(EXPRESSION)) {
    const [text, , workerClass, , written = ""] = match;
    segments ??= decode(map.mappings);
    const before = program.slice(0, match.index);
    const column = match.index - (before.lastIndexOf("\n") + 1);
    const place = segments[before.split("\n").length - 1]?.findLast(
      (segment) => segment[0] <= column && segment.length > 1,
    );
    const source = place?.length === 1 ? undefined : map.sources[place?.[1] ?? -1];
    if (source === undefined) continue;
    const path = written.replaceAll(/\\(.)/g, "$1");
    const file = join(dirname(source), decodeURIComponent(path.replace(/[?#].*$/, "")));
    const isThere = await stat(join(projectFolder, file)).catch(() => undefined);
    if (!/^\.{0,2}\//.test(path) && isThere === undefined) continue; // an address elsewhere
    if (isThere?.isFile() !== true) continue;
    const [start, end] = [match.index, match.index + text.length];
    found.push({ start, end, path, file, source, line: (place?.[2] ?? 0) + 1, workerClass });
  }
  return found;
}
