import type { BundledEntry } from "../build/bundle-entry.ts";
import { LINES_BEFORE, withSourceLines } from "../build/name-source-lines.ts";
import { ownSourceMap } from "../build/source-map.ts";
import { SEA_PROGRAM } from "./make-sea.ts";

/** As in a script: a `require` for more than Node's own modules, and the file in `process.argv`. */
const LIKE_A_SCRIPT =
  'require=require("node:module").createRequire(__filename);process.argv[1]=__filename;';

/**
 * The program of a single executable.
 *
 * @param bundled - bundled `withoutImport`
 */
export function seaProgram({ program, sourceMap, ownName }: BundledEntry): string {
  const map = ownSourceMap(sourceMap, ownName, LINES_BEFORE);
  const file = JSON.stringify(SEA_PROGRAM);
  const named = withSourceLines(program, map, file, 'require("node:module").SourceMap');
  return LIKE_A_SCRIPT + named;
}
