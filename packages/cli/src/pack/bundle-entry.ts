import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Message } from "esbuild";
import { CliError, ExitCode } from "../errors.ts";
import type { SourceMap } from "./source-map.ts";

/** A TypeScript entry and all that it imports, as one CommonJS program. */
export interface BundledEntry {
  readonly program: string;
  /** Without the sources' text. */
  readonly sourceMap: SourceMap;
  /** The folder that paths in `sources`, in the program and in its source map start from. */
  readonly projectFolder: string;
  /** The entry and the project's own files that it imports, from the project's folder; no packages. */
  readonly sources: readonly string[];
  /** The entry's absolute path. */
  readonly entry: string;
  /** What the build noticed, each a line for the user. */
  readonly warnings: readonly string[];
}

/**
 * Bundles a TypeScript (or JavaScript) entry with esbuild.
 *
 * Names and lines are kept (no minifying), so that stack traces in the task log can be read.
 * Two runs over the same files give the same bytes, wherever they are started.
 *
 * @throws CliError `cannot-read` (65) for a missing entry; `cannot-bundle` (65) where esbuild
 * refuses it, with the place and what to do
 */
export async function bundleEntry(path: string, cwd: string): Promise<BundledEntry> {
  const entry = resolve(cwd, path);
  await mustBeFile(entry, path);
  const projectFolder = await findProjectFolder(entry);
  const { build } = await import("esbuild");
  try {
    const result = await build({
      entryPoints: [entry],
      absWorkingDir: projectFolder,
      bundle: true,
      write: false,
      platform: "node",
      format: "cjs",
      target: "node20",
      keepNames: true,
      charset: "utf8",
      logLevel: "silent",
      metafile: true,
      sourcemap: "external",
      sourcesContent: false,
      outfile: "program.cjs", // never written; paths in the map start from its folder
      banner: {
        js: 'const __parlanceModuleUrl = require("node:url").pathToFileURL(__filename).href;',
      },
      define: {
        "import.meta.url": "__parlanceModuleUrl",
        "import.meta.filename": "__filename",
        "import.meta.dirname": "__dirname",
      },
    });
    const output = (end: string) =>
      result.outputFiles.find((file) => file.path.endsWith(end))?.text ?? "";
    const program = output(".cjs");
    const sourceMap = JSON.parse(output(".map")) as SourceMap;
    const sources = Object.keys(result.metafile.inputs).filter(isProjectFile).sort();
    const warnings = result.warnings.map(describe);
    return { program, sourceMap, entry, projectFolder, sources, warnings };
  } catch (error) {
    const messages = (error as { errors?: Message[] }).errors;
    if (messages === undefined) throw error;
    throw cannotBundle(path, messages, error);
  }
}

/** Not a package, not outside the project, not made up by esbuild. */
function isProjectFile(path: string): boolean {
  return !/(?:^|\/)node_modules\//.test(path) && !path.startsWith("..") && !/^[a-z-]+:/.test(path);
}

async function mustBeFile(entry: string, given: string): Promise<void> {
  const found = await stat(entry).catch(() => undefined);
  if (found?.isFile() === true) return;
  const what = found === undefined ? "there is no such file" : "it is not a regular file";
  throw new CliError(
    "cannot-read",
    `Cannot read the entry ${given}: ${what}. Give the TypeScript file that calls serve().`,
    ExitCode.badInput,
    { path: entry },
  );
}

/** The nearest folder with a package.json, so that paths in the program do not depend on where it was built. */
async function findProjectFolder(entry: string): Promise<string> {
  const start = dirname(entry);
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = await stat(join(folder, "package.json")).catch(() => undefined);
    if (manifest?.isFile() === true) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** What an esbuild message means for a task author, where esbuild's own words leave that open. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /Top-level await/,
    "Move the await into a task handler or an async function: the bundle is CommonJS, which has no top-level await.",
  ],
  [
    /No loader is configured for "\.node"/,
    "Native modules cannot go into a script bundle; use a package without one.",
  ],
  [
    /No loader is configured for/,
    'Say as what to import it: import text from "./query.sql" with { type: "text" }, or "bytes".',
  ],
  [
    /Could not resolve "@parlance\/sdk-node"/,
    "Install it beside the entry: npm install @parlance/sdk-node.",
  ],
  [/Could not resolve/, "Install the package beside the entry, or mend the path."],
];

function cannotBundle(path: string, messages: readonly Message[], cause: unknown): CliError {
  const lines = messages.map((message) => {
    const advice = ADVICE.find(([pattern]) => pattern.test(message.text))?.[1];
    return advice === undefined ? describe(message) : `${describe(message)}\n  ${advice}`;
  });
  return new CliError(
    "cannot-bundle",
    `Cannot bundle ${path}:\n${lines.join("\n")}`,
    ExitCode.badInput,
    { problems: messages.map(describe) },
    { cause },
  );
}

function describe(message: Message): string {
  const place = message.location;
  if (place === null) return message.text;
  return `${place.file}:${place.line}:${place.column + 1}: ${message.text}`;
}
