import { join } from "node:path";
import type { BuildOptions, BuildResult, Message } from "esbuild";
import { CliError, ExitCode } from "../../errors.ts";
import { describe, explain, type ModuleKind } from "./advice.ts";
import { decoratorWarnings } from "./decorator-warnings.ts";
import { type EmbeddedWorker, embedWorkers } from "./embed-workers.ts";
import { findModuleUrls, MODULE_URL, type ModuleUrl } from "./module-urls.ts";
import { nativeLoaderWarnings, packageOf } from "./native-loaders.ts";
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
  /** Leave out white space and comments, and shorten the syntax; all names stay. Default false. */
  readonly minify?: boolean;
  /** Load what `import()` names by `require`: a single executable has no other way. Default false. */
  readonly withoutImport?: boolean;
}

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
  const built = await buildProgram({ given: path, entry, projectFolder, options, within: [] });
  const { names, inputs } = built;
  return {
    program: built.program,
    sourceMap: built.sourceMap,
    ownName: (source) =>
      [source, names.get(source)].find((name) => name !== undefined && isOwn(name)),
    entry,
    projectFolder,
    sources: inputs.filter(isOwn).sort(),
    warnings: [...new Set([...built.warnings, ...(await decoratorWarnings(entry))])],
  };
}

/** One program, the entry's or a worker's. */
interface Build {
  readonly given: string;
  readonly entry: string;
  readonly projectFolder: string;
  readonly options: BundleEntryOptions;
  /** The programs that start this one as a worker. */
  readonly within: readonly string[];
}

interface Built {
  readonly program: string;
  readonly sourceMap: SourceMap;
  readonly names: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
  readonly warnings: readonly string[];
}

async function buildProgram(build: Build): Promise<Built> {
  const { given, entry, projectFolder, options } = build;
  const result = await runEsbuild(given, entry, projectFolder, options);
  const output = (isWanted: (name: string) => boolean) =>
    result.outputFiles?.find((file) => isWanted(file.path))?.text ?? "";
  const plain = output((name) => !name.endsWith(".map"));
  const sourceMap = JSON.parse(output((name) => name.endsWith(".map"))) as SourceMap;
  const inputs = result.metafile?.inputs ?? {};
  const urls = await findModuleUrls(plain, sourceMap, projectFolder);
  const missing = checkOtherFiles(urls, given);
  const workers = await buildWorkers(urls, build);
  const paths = [...Object.keys(inputs), ...workers.flatMap((worker) => worker.built.inputs)];
  const names = await stablePaths(paths, projectFolder);
  return {
    program: renameFiles(embedWorkers(plain, workers), names),
    sourceMap,
    names,
    inputs: [...new Set(paths)],
    warnings: [
      ...result.warnings.map(describe),
      ...nativeLoaderWarnings(inputs),
      ...missing,
      ...workers.flatMap((worker) => worker.built.warnings),
    ],
  };
}

async function buildWorkers(
  urls: readonly ModuleUrl[],
  { projectFolder, options, within, entry }: Build,
): Promise<(EmbeddedWorker & { readonly built: Built })[]> {
  const workers: (EmbeddedWorker & { readonly built: Built })[] = [];
  for (const url of urls) {
    if (url.workerClass === undefined) continue;
    const file = join(projectFolder, url.file);
    if ([...within, entry].includes(file)) throw notInBundle(url, "a worker that starts itself");
    const built = await buildProgram({
      given: url.file,
      entry: file,
      projectFolder,
      options: { ...options, module: "commonjs" },
      within: [...within, entry],
    });
    workers.push({ url, program: built.program, built });
  }
  return workers;
}

/** Files that are no workers: refused where the user can mend it, told where a package looks for them. */
function checkOtherFiles(urls: readonly ModuleUrl[], given: string): string[] {
  const others = urls.filter(({ workerClass }) => workerClass === undefined);
  for (const url of others) if (isOwn(url.source)) throw notInBundle(url, given);
  return others.map(
    ({ source, path }) =>
      `${packageOf(source) ?? source} looks for ${path} beside its own file; the bundle does not hold it.`,
  );
}

function notInBundle({ source, line, path }: ModuleUrl, given: string): CliError {
  const place = `${source}:${line}`;
  return new CliError(
    "cannot-bundle",
    `Cannot bundle ${given}:\n${place}: the bundle is one file, and ${path} will not be beside it.\n` +
      `  Import what is in it: import text from ${JSON.stringify(path)} with { type: "text" }, or "bytes". ` +
      `A worker thread is started by new Worker(new URL("./worker.ts", import.meta.url)).`,
    ExitCode.badInput,
    { problems: [`${place}: ${path} will not be beside the bundle`] },
  );
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
    // Not the identifiers: stacks tell them, and a worker's class is known by its name.
    minifyWhitespace: minify,
    minifySyntax: minify,
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
