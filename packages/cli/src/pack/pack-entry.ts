import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type BundleSource, createMetadata, type MetadataInput } from "@parlance/bundle";
import { refuseOverwriting } from "../bundle/refuse-overwriting.ts";
import { withBundleErrors } from "../bundle/with-bundle-errors.ts";
import type { CommandIo } from "../io.ts";
import { makeFolder } from "../make-folder.ts";
import { type BundledEntry, type BundleEntryOptions, bundleEntry } from "./build/bundle-entry.ts";
import { describeProgram, type ProgramDescription } from "./describe-program.ts";
import { prepareExecutable } from "./executable/prepare-executable.ts";
import type { Prepared, PrepareOptions } from "./format.ts";
import { prepareNodeBundle } from "./node/prepare-node-bundle.ts";
import {
  checkPackOptions,
  type PackEntryOptions,
  type PackFormat,
  type PackResult,
} from "./pack-options.ts";
import { prepareSea } from "./sea/prepare-sea.ts";
import { withWorkFolder } from "./with-work-folder.ts";

/** How each format bundles, and what it makes of the program. */
const FORMATS: {
  readonly [Format in PackFormat]: {
    readonly build: BundleEntryOptions;
    readonly prepare: (bundled: BundledEntry, options: PrepareOptions) => Promise<Prepared>;
  };
} = {
  executable: { build: {}, prepare: prepareExecutable },
  sea: { build: { withoutImport: true }, prepare: prepareSea },
  node: { build: { module: "esm" }, prepare: prepareNodeBundle },
};

/**
 * Bundles an entry, asks the program for its Dags and tasks, and writes the bundle.
 * The file at `out` appears whole; a failure leaves the old one. A file of the project that goes
 * into the bundle is never overwritten.
 *
 * @param progress - gets one line for each step that takes time
 * @throws CliError of each step; see there
 */
export async function packEntry(
  entry: string,
  options: PackEntryOptions,
  io: CommandIo,
  progress: (line: string) => void,
): Promise<PackResult> {
  const nodeFlags = checkPackOptions(options);
  const { build, prepare } = FORMATS[options.format];
  progress(`bundling ${entry}`);
  const bundled = await bundleEntry(entry, io.cwd, { ...build, minify: options.minify === true });
  const path = resolve(io.cwd, options.out);
  await withBundleErrors(io, async () => refuseOverwriting(path, inputsOf(bundled)));
  return withWorkFolder(async (folder) => {
    const { nodeBinary } = options;
    const prepared = await prepare(bundled, { folder, nodeFlags, nodeBinary, io, progress });
    progress("running it once for its Dags and tasks");
    const described = await describeProgram(prepared.argv, {
      env: io.env,
      cwd: io.cwd,
      signal: io.signal,
    });
    const sources = options.source === true ? await readSources(bundled) : [];
    await makeFolder(dirname(path)).catch(() => {}); // writing the bundle says why
    const written = await withBundleErrors(io, () =>
      prepared.write({
        metadata: metadataOf(bundled, described, sources, options),
        sources,
        out: options.out.endsWith("/") || options.out === "" ? `${path}/` : path,
        signal: io.signal,
      }),
    );
    return {
      path,
      format: options.format,
      schemaVersion: options.schemaVersion,
      bytes: written.size,
      dags: Object.fromEntries(described.dags.map(([dagId, tasks]) => [dagId, { tasks }])),
      ...(prepared.nodeVersion === undefined ? {} : { nodeVersion: prepared.nodeVersion }),
      warnings: [...bundled.warnings, ...written.warnings],
    };
  });
}

function metadataOf(
  { entry, projectFolder }: BundledEntry,
  { sdk, dags }: ProgramDescription,
  sources: readonly BundleSource[],
  { schemaVersion }: PackEntryOptions,
): { readonly [key: string]: MetadataInput } {
  const entrypointPath = portable(relative(projectFolder, entry));
  return createMetadata({
    sdk: {
      language: sdk.language,
      version: sdk.version,
      supervisorSchemaVersion: schemaVersion,
    },
    source: basename(entry),
    // A map: an object would put ids that look like numbers first.
    dags: new Map(dags.map(([dagId, tasks]) => [dagId, { tasks }])),
    ...(sources.length > 0 ? { sources, entrypointPath } : {}),
  });
}

/** The user's own files that must not be overwritten. */
function inputsOf({ entry, projectFolder, sources }: BundledEntry): readonly string[] {
  return [entry, ...sources.map((source) => join(projectFolder, source))];
}

/** Only text can be shown: an image or a WebAssembly module that is imported as bytes is left out. */
async function readSources({ projectFolder, sources }: BundledEntry): Promise<BundleSource[]> {
  const files = sources.map(async (path) => {
    return { path: portable(path), data: await readFile(join(projectFolder, path)) };
  });
  return (await Promise.all(files)).filter(({ data }) => isUtf8(data));
}

/** Paths inside a bundle are written with slashes on every system. */
function portable(path: string): string {
  return path.split(sep).join("/");
}
