import type { BundledEntry } from "../build/bundle-entry.ts";
import { LINES_BEFORE, withSourceLines } from "../build/name-source-lines.ts";
import { ownSourceMap } from "../build/source-map.ts";
import { IS_TOO_OLD, refuseOldNode } from "../node-required.ts";

/** Names of {@link BundledEntry}'s first line, which imports them: they are there before all else. */
const [CREATE_REQUIRE, SOURCE_MAP_CLASS] = ["__parlanceCreateRequire", "__parlanceSourceMapClass"];

/**
 * The code of a Node bundle: an ES module.
 *
 * @param bundled - bundled as `esm`
 * @param linesBefore - how many lines stand before it in the file
 */
export function nodeProgram(
  { program, sourceMap, ownName }: BundledEntry,
  linesBefore: number,
): string {
  const map = ownSourceMap(sourceMap, ownName, linesBefore + LINES_BEFORE);
  const named = withSourceLines(program, map, "import.meta.url", SOURCE_MAP_CLASS);
  const refuse = refuseOldNode(`${CREATE_REQUIRE}(import.meta.url)`);
  return `if(${IS_TOO_OLD}){${refuse};await new Promise(function(){})}${named}`;
}
