import { join } from "node:path";
import type { BuildOptions, BuildResult, Message } from "esbuild";
import { CliError, ExitCode } from "../../errors.ts";
import { describe, explain, type ModuleKind } from "./advice.ts";
import { nativeLoaderWarnings } from "./native-loaders.ts";
import { findEntry, findProjectFolder } from "./project-folder.ts";
import type { SourceMap } from "./source-map.ts";
import { renameFiles, stablePaths } from "./stable-paths.ts";

/** A TypeScript entry and all that it imports, as one program. */
export interface BundledEntry {
  /** A CommonJS program, or an ES module where that was asked for. */
  readonly program: string;
  /** Without the sources' text. */
  readonly sourceMap: SourceMap;
  /** What stacks are to call a file of `sourceMap`, if it is the user's own; undefined for others. */
  readonly ownName: (source: string) => string | undefined;
  /** The folder that paths in `sources`, in the program and in its source map start from. */
  readonly projectFolder: string;
  /** The entry and the project's own files that it imports, from the project's folder; no packages. */
  readonly sources: readonly string[];
  /** The entry's absolute path. */
  readonly entry: string;
  /** What the build noticed, each a line for the user. */
  readonly warnings: readonly string[];
}

/** How an entry is bundled. */
export interface BundleEntryOptions {
  /** Default `commonjs`. */
  readonly module?: ModuleKind;
  /** Shorten the program; names of functions and classes stay. Default false. */
  readonly minify?: boolean;
  /** Load what `import()` names by `require`: a single executable has no other way. Default false. */
  readonly withoutImport?: boolean;
}

/** What the program calls its own URL: set by its first line, whatever the format. */
export const MODULE_URL = "__parlanceModuleUrl";

const FIRST_LINES: { readonly [Kind in ModuleKind]: string } = {
  commonjs: `const ${MODULE_URL} = require("node:url").pathToFileURL(__filename).href;`,
  // Packages in CommonJS ask for Node's modules by `require`, which a module does not have.
  esm:
    `import { createRequire as __parlanceCreateRequire, SourceMap as __parlanceSourceMapClass } from "node:module"; ` +
    `import { fileURLToPath as __parlanceFileURLToPath } from "node:url"; ` +
    `const ${MODULE_URL} = import.meta.url, require = __parlanceCreateRequire(${MODULE_URL}), ` +
    `__parlanceFilename = __parlanceFileURLToPath(${MODULE_URL}), ` +
    `__parlanceDirname = __parlanceFilename.replace(/[\\\\/][^\\\\/]*$/, "");`,
};

/** By each kind, what stands for the names that tell a module where it is. */
const PLACES: { readonly [Kind in ModuleKind]: { readonly [name: string]: string } } = {
  commonjs: { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" },
  // Node.js 20.3 has no import.meta.filename yet.
  esm: {
    "import.meta.filename": "__parlanceFilename",
    "import.meta.dirname": "__parlanceDirname",
    __filename: "__parlanceFilename",
    __dirname: "__parlanceDirname",
  },
};

/**
 * Bundles a TypeScript (or JavaScript) entry with esbuild.
 *
 * Unless it is minified, names and lines are kept, so that stack traces in the task log can be read.
 * Two runs over the same files give the same bytes, wherever they are started and wherever the
 * project's folder lies.
 *
 * @throws CliError `cannot-read` (65) for a missing entry; `cannot-bundle` (65) where esbuild
 * refuses it, with the place and what to do
 */
export async function bundleEntry(
  path: string,
  cwd: string,
  options: BundleEntryOptions = {},
): Promise<BundledEntry> {
  const entry = await findEntry(path, cwd);
  const projectFolder = await findProjectFolder(entry);
  const result = await runEsbuild(path, entry, projectFolder, options);
  const output = (isWanted: (name: string) => boolean) =>
    result.outputFiles?.find((file) => isWanted(file.path))?.text ?? "";
  const inputs = result.metafile?.inputs ?? {};
  const names = await stablePaths(Object.keys(inputs), projectFolder);
  const map = JSON.parse(output((name) => name.endsWith(".map"))) as SourceMap;
  return {
    program: renameFiles(
      output((name) => !name.endsWith(".map")),
      names,
    ),
    sourceMap: map,
    ownName: (source) =>
      [source, names.get(source)].find((name) => name !== undefined && isOwn(name)),
    entry,
    projectFolder,
    sources: Object.keys(inputs).filter(isOwn).sort(),
    warnings: [...result.warnings.map(describe), ...nativeLoaderWarnings(inputs)],
  };
}

async function runEsbuild(
  given: string,
  entry: string,
  projectFolder: string,
  { module = "commonjs", minify = false, withoutImport = false }: BundleEntryOptions,
): Promise<BuildResult> {
  const { build } = await import("esbuild");
  const options: BuildOptions = {
    entryPoints: [entry],
    absWorkingDir: projectFolder,
    bundle: true,
    write: false,
    platform: "node",
    format: module === "esm" ? "esm" : "cjs",
    target: "node20",
    minify,
    keepNames: true,
    charset: "utf8",
    logLevel: "silent",
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    outfile: join(projectFolder, "program.js"), // never written; paths in the map start from its folder
    banner: { js: FIRST_LINES[module] },
    define: { "import.meta.url": MODULE_URL, ...PLACES[module] },
    ...(withoutImport ? { supported: { "dynamic-import": false } } : {}),
  };
  try {
    return await build(options);
  } catch (error) {
    const messages = (error as { errors?: Message[] }).errors;
    if (messages === undefined) throw error;
    throw new CliError(
      "cannot-bundle",
      `Cannot bundle ${given}:\n${messages.map(explain).join("\n")}`,
      ExitCode.badInput,
      { problems: messages.map(describe) },
      { cause: error },
    );
  }
}

/** Not of a package, not outside the project, not made up by esbuild. */
function isOwn(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path) && !path.startsWith("..") && !/^[a-z-]+:/.test(path);
}
