/**
 * The executable region of a packed TypeScript entry: a script that starts itself.
 *
 * ```
 * #!/bin/sh -                                                  ┐
 * command -v node … && exec node … -e '<boot>' -- "$0" "$@"    │ header: all that the shell
 * echo "… needs Node.js …"; …; exit 127                        ┘ ever reads
 * <CommonJS program>
 * ```
 *
 * The shell stops reading at `exec` or `exit`, so what follows (the program, and after packing the
 * source region, metadata and footer) needs no hiding from it. Node gets the program as
 * text, cut off at the footer's source start and compiled as CommonJS under the bundle's own
 * path: neither a missing extension nor a parent `package.json` of any kind changes how it is
 * read, and `exec` leaves signals to reach Node itself.
 */

import type { BundledEntry } from "../build/bundle-entry.ts";
import { LINES_BEFORE, withSourceLines } from "../build/name-source-lines.ts";
import { ownSourceMap } from "../build/source-map.ts";
import { MINIMUM_NODE, REFUSE_WITHOUT_NODE } from "../node-required.ts";
import { bootProgram } from "./boot-program.ts";

const OFFSET_DIGITS = 6;

/**
 * The whole executable region for a bundled entry.
 *
 * @param nodeFlags - for `node`, before the program: e.g. `--max-old-space-size=512`
 */
export function executableScript(
  { program, sourceMap, ownName }: BundledEntry,
  nodeFlags: readonly string[] = [],
): string {
  const draft = header(0, nodeFlags, 0);
  const lines = draft.split("\n").length - 1;
  const map = ownSourceMap(sourceMap, ownName, lines + LINES_BEFORE);
  const named = withSourceLines(program, map, "__filename", 'require("node:module").SourceMap');
  // The count has its digits at a place of its own, so that it changes no length.
  const length = Buffer.byteLength(header(0, nodeFlags, lines));
  return header(length, nodeFlags, lines) + named;
}

function header(programOffset: number, nodeFlags: readonly string[], lines: number): string {
  const offset = String(programOffset).padStart(OFFSET_DIGITS, "0");
  const words = ["node", ...nodeFlags.map(quote), "-e", `'${bootProgram(offset, lines)}'`];
  return `#!/bin/sh -
# An Airflow executable bundle (AFBNDL01) with tasks in TypeScript. It needs Node.js ${MINIMUM_NODE} or newer on PATH.
command -v node >/dev/null 2>&1 && exec ${words.join(" ")} -- "$0" "$@"
${REFUSE_WITHOUT_NODE}`;
}

/** A word of a shell, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
