/**
 * The executable region of a packed TypeScript entry: a script that starts itself.
 *
 * ```
 * #!/bin/sh                                  ┐
 * command -v node … || { echo …; exit 127; } │ header: all that the shell ever reads
 * exec node -e '<boot>' -- "$0" "$@"         ┘
 * <CommonJS program>
 * //# sourceMappingURL=data:…                the lines of the user's own files
 * ```
 *
 * The shell stops reading at `exec`, so what follows (the program, and after packing the
 * source region, metadata and footer) needs no hiding from it. Node gets the program as
 * text, cut off at the footer's source start and compiled as CommonJS under the bundle's own
 * path: neither a missing extension nor a parent `package.json` of any kind changes how it is
 * read, and `exec` leaves signals to reach Node itself.
 */

import type { BundledEntry } from "./bundle-entry.ts";
import { nameSourceLines } from "./name-source-lines.ts";
import { inlineSourceMap, ownSourceMap, SOURCE_MAP_MARK } from "./source-map.ts";

/** The oldest Node.js that runs a bundle. */
const MINIMUM_NODE_MAJOR = 20;

const OFFSET_DIGITS = 6;
const HEADER_LINES = 4;

/** The whole executable region for a bundled entry. */
export function executableScript({ program, sourceMap }: BundledEntry): string {
  const draft = header(0);
  const map = ownSourceMap(sourceMap, isOwnFile, HEADER_LINES);
  return header(Buffer.byteLength(draft)) + program + inlineSourceMap(map);
}

/** Not of an installed package, not made up by esbuild. */
function isOwnFile(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path) && !/^[a-z-]+:/.test(path);
}

function header(programOffset: number): string {
  const offset = String(programOffset).padStart(OFFSET_DIGITS, "0");
  return `#!/bin/sh
# An Airflow executable bundle (AFBNDL01) with tasks in TypeScript. It needs Node.js ${MINIMUM_NODE_MAJOR} or newer on PATH.
command -v node >/dev/null 2>&1 || { echo "This Airflow bundle needs Node.js ${MINIMUM_NODE_MAJOR} or newer, but there is no 'node' on PATH ($PATH)." >&2; exit 127; }
exec node -e '${boot(offset)}' -- "$0" "$@"
`;
}

/**
 * The boot program. It stands in single quotes on a shell line, so it holds no single
 * quote. `process.argv` is `[node, bundle, "--comm=…", "--logs=…"]` by then, as for any script.
 */
function boot(offset: string): string {
  const lines = [
    `(()=>{"use strict"`, // in a function: nothing of this becomes a global of the program
    `const fs=require("fs"),path=require("path"),Module=require("module")`,
    // Airflow gives an absolute path; a person may type a relative one.
    `const file=process.argv[1]=fs.realpathSync(process.argv[1])`,
    `if(parseInt(process.versions.node)<${MINIMUM_NODE_MAJOR}){console.error("This Airflow bundle needs Node.js ${MINIMUM_NODE_MAJOR} or newer; the node on PATH is "+process.version+" ("+process.execPath+").");process.exit(127)}`,
    `const bytes=fs.readFileSync(file),end=bytes.length-64`,
    `const packed=end>0&&bytes.toString("latin1",end+56)==="AFBNDL01"`,
    `const programEnd=packed?end-bytes.readUInt32LE(end)-bytes.readUInt32LE(end+4):bytes.length`,
    // As many line ends as the header has: lines of the program are lines of the bundle.
    `const program="\\n".repeat(${HEADER_LINES})+bytes.toString("utf8",parseInt("${offset}",10),programEnd)`,
    `const main=new Module(file,null)`,
    `main.id="."`,
    `main.filename=file`,
    `main.paths=Module._nodeModulePaths(path.dirname(file))`,
    `process.mainModule=main`,
    `Module._cache[file]=main`,
    `(${oneLine(nameSourceLines)})(file,program,"${SOURCE_MAP_MARK}",Module.SourceMap)`,
    `main._compile(program,file,"commonjs")})()`,
  ];
  return lines.join(";");
}

/** A function's own text, as a line of the boot program. */
function oneLine(code: (...args: never) => void): string {
  return code.toString().replaceAll(/\s*\n\s*/g, " ");
}
