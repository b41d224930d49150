import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type BundleSource, createMetadata, type PackOptions, packBundle } from "@parlance/bundle";
import type { SchemaVersion } from "@parlance/protocol";
import { refuseOverwriting } from "../bundle/refuse-overwriting.ts";
import { withBundleErrors } from "../bundle/with-bundle-errors.ts";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { makeFolder } from "../make-folder.ts";
import { escapeControls } from "../terminal-text.ts";
import { makeWorkFolder } from "../work-folder.ts";
import { type BundledEntry, bundleEntry } from "./bundle-entry.ts";
import { describeProgram } from "./describe-program.ts";
import { executableScript } from "./executable-layout.ts";

/** Flags of `parlance pack`. */
export interface PackEntryOptions {
  readonly out: string;
  readonly format: "executable" | "sea" | "node";
  readonly schemaVersion: SchemaVersion;
  /** Embed the project's source files. */
  readonly source?: boolean;
}

/** What `parlance pack --json` prints. */
export interface PackResult {
  readonly path: string;
  readonly format: "executable";
  readonly schemaVersion: SchemaVersion;
  readonly bytes: number;
  readonly dags: Readonly<Record<string, { readonly tasks: readonly string[] }>>;
}

/**
 * Bundles an entry, asks the program for its Dags and tasks, and writes the executable bundle.
 * The file at `out` appears whole; a failure leaves the old one. A file of the project that goes
 * into the bundle is never overwritten.
 *
 * @param progress - gets one line for each step that takes time
 */
export async function packEntry(
  entry: string,
  options: PackEntryOptions,
  io: CommandIo,
  progress: (line: string) => void,
): Promise<PackResult> {
  if (options.format !== "executable") {
    throw new CliError(
      "unsupported-format",
      `Cannot pack ${entry} as ${options.format}: this version packs --format executable, which runs on Airflow 3.3 and 3.4.`,
      ExitCode.usage,
    );
  }
  progress(`bundling ${entry}`);
  const bundled = await bundleEntry(entry, io.cwd);
  for (const warning of bundled.warnings) {
    io.stderr.write(`${escapeControls(`warning: ${warning}`)}\n`);
  }
  const path = resolve(io.cwd, options.out);
  await withBundleErrors(io, async () => refuseOverwriting(path, inputsOf(bundled)));
  const folder = await makeWorkFolder("pack");
  try {
    const executable = join(folder.path, "program");
    await writeFile(executable, executableScript(bundled), { mode: 0o755 });
    progress("running it once for its Dags and tasks");
    const description = await describeProgram([executable], {
      env: io.env,
      cwd: io.cwd,
      signal: io.signal,
    });
    // A map: an object would put ids that look like numbers first.
    const dags = new Map(description.dags.map(([dagId, tasks]) => [dagId, { tasks }]));
    const sources = options.source === true ? await readSources(bundled) : [];
    const entryName = portable(relative(bundled.projectFolder, bundled.entry));
    const pack: PackOptions = {
      executable,
      metadata: createMetadata({
        sdk: {
          language: description.sdk.language,
          version: description.sdk.version,
          supervisorSchemaVersion: options.schemaVersion,
        },
        source: basename(bundled.entry),
        dags,
        ...(sources.length > 0 ? { sources, entrypointPath: entryName } : {}),
      }),
      sources,
      out: options.out.endsWith("/") ? `${path}/` : path,
      signal: io.signal,
    };
    await makeFolder(dirname(path)).catch(() => {}); // writing the bundle says why
    const { size } = await withBundleErrors(io, () => packBundle(pack));
    const { schemaVersion } = options;
    return {
      path,
      format: "executable",
      schemaVersion,
      bytes: size,
      dags: Object.fromEntries(dags),
    };
  } finally {
    await folder.remove();
  }
}

/** The user's own files that must not be overwritten. */
function inputsOf({ entry, projectFolder, sources }: BundledEntry): readonly string[] {
  return [entry, ...sources.map((source) => join(projectFolder, source))];
}

async function readSources({ projectFolder, sources }: BundledEntry): Promise<BundleSource[]> {
  return Promise.all(
    sources.map(async (path) => ({
      path: portable(path),
      data: await readFile(join(projectFolder, path)),
    })),
  );
}

/** Paths inside a bundle are written with slashes on every system. */
function portable(path: string): string {
  return path.split(sep).join("/");
}
