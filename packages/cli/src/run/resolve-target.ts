import { open, stat, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type BundleReport,
  isMetadataMap,
  type MetadataValue,
  readBundle,
  schemaVersionOf,
} from "@parlance/bundle";
import { DEFAULT_SCHEMA_VERSION, SCHEMA_VERSIONS, type SchemaVersion } from "@parlance/protocol";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { makeWorkFolder } from "../work-folder.ts";

/** What `parlance run` starts for each task. */
export interface RunTarget {
  /** The command, without `--comm` and `--logs`. */
  readonly argv: readonly string[];
  readonly schemaVersion: SchemaVersion;
  /** Task ids by Dag id, in order of registration; undefined for a bare command. */
  readonly dags: ReadonlyMap<string, readonly string[]> | undefined;
  /** Ids of the Dags that were made with `dag()`; undefined where only the program can tell. */
  readonly native?: ReadonlySet<string>;
  /** Absolute paths of the user's files that it was made from. */
  readonly sources: readonly string[];
  /** Removes what was made for the run. */
  close(): Promise<void>;
}

/** The flags of `parlance run` that decide how a target is started. */
export interface TargetOptions {
  readonly schemaVersion: SchemaVersion | undefined;
  readonly inspectBrk: boolean;
}

/** A bundle or an entry by its path, or a bare command. */
export async function resolveTarget(
  words: readonly string[],
  argv: readonly string[],
  options: TargetOptions,
  io: CommandIo,
): Promise<RunTarget> {
  const [path, ...more] = words;
  if (argv.length > 0 && path === undefined) {
    const schemaVersion = options.schemaVersion ?? DEFAULT_SCHEMA_VERSION;
    return { argv: [...argv], schemaVersion, dags: undefined, sources: [], close: async () => {} };
  }
  if (path === undefined || more.length > 0 || argv.length > 0) {
    throw new CliError(
      "usage",
      "Give one of BUNDLE, ENTRY.ts or -- ARGV…. See --help.",
      ExitCode.usage,
    );
  }
  const file = resolve(io.cwd, path);
  if (await endsWithMagic(file, path)) return bundleTarget(await readReport(file), path);
  if (file.endsWith(".min.mjs")) {
    const report = await readReport(file);
    if (report.format === "node") return bundleTarget(report, path);
  }
  if (/^\.[cm]?[jt]sx?$/.test(extname(file))) return entryTarget(path, options, io);
  throw new CliError(
    "not-a-bundle",
    `Cannot run ${path}: it has no AFBNDL01 footer, and its name is not that of a TypeScript or JavaScript entry. ` +
      "Pack it first (parlance pack, parlance bundle pack), or run a bare command after --.",
    ExitCode.badInput,
    { path: file },
  );
}

async function endsWithMagic(file: string, given: string): Promise<boolean> {
  try {
    // a pipe would be waited for, a device read for ever
    if (!(await stat(file)).isFile()) throw new Error("it is no regular file");
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, Math.max(0, size - 8));
      return bytesRead === 8 && buffer.toString("latin1") === "AFBNDL01";
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new CliError(
      "cannot-read",
      `Cannot read ${given}: ${message}. Give a bundle or a TypeScript entry.`,
      ExitCode.badInput,
      { path: file },
      { cause },
    );
  }
}

async function readReport(file: string): Promise<BundleReport> {
  return readBundle(file, { knownSchemaVersions: SCHEMA_VERSIONS });
}

function bundleTarget(report: BundleReport, given: string): RunTarget {
  const { path: file, metadata, format, verified, problems } = report;
  const refused = problems.filter(({ code, fault }) => fault || code === "bad-schema-version");
  if (metadata === null || !verified || refused.length > 0) {
    const why = refused.map((problem) => problem.message).join(" ");
    throw new CliError(
      "bad-bundle",
      `Cannot run ${given}: ${why} \`parlance bundle inspect\` shows the whole of it.`,
      ExitCode.badInput,
      { path: file, problems },
    );
  }
  return {
    argv: format === "node" ? [process.execPath, file] : [file],
    schemaVersion: schemaVersionOf(metadata) as SchemaVersion, // a known one, or it was a problem
    dags: tasksOf(metadata.get(format === "node" ? "task_handlers" : "dags")),
    sources: [file],
    close: async () => {},
  };
}

async function entryTarget(
  path: string,
  options: TargetOptions,
  io: CommandIo,
): Promise<RunTarget> {
  const [{ bundleEntry }, { describeProgram }, { inlineSourceMap }] = await Promise.all([
    import("../pack/build/bundle-entry.ts"),
    import("../pack/describe-program.ts"),
    import("../pack/build/source-map.ts"),
  ]);
  const bundled = await bundleEntry(path, io.cwd);
  const { program, sourceMap, projectFolder, warnings } = bundled;
  for (const warning of warnings) io.stderr.write(`warning: ${escapeControls(warning)}\n`);
  const folder = await makeWorkFolder("run");
  try {
    const file = join(folder.path, "tasks.cjs");
    const sourceRoot = pathToFileURL(`${projectFolder}/`).href; // the program lies elsewhere
    const text = program + inlineSourceMap({ ...sourceMap, sourceRoot });
    await writeFile(file, text, { mode: 0o600 });
    const argv = [process.execPath, "--enable-source-maps", file];
    const { env, cwd, signal } = io;
    const { dags, native } = await describeProgram(argv, { env, cwd, signal });
    const schemaVersion = options.schemaVersion ?? DEFAULT_SCHEMA_VERSION;
    const sources = [bundled.entry, ...bundled.sources.map((name) => join(projectFolder, name))];
    const known = { dags: new Map(dags), native: new Set(native) };
    return { argv, schemaVersion, ...known, sources, close: folder.remove };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Task ids by Dag id, as far as the metadata says; Airflow itself never looks at the tasks. */
function tasksOf(dags: MetadataValue | undefined): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!isMetadataMap(dags)) return found;
  for (const [dagId, dag] of dags) {
    const tasks = isMetadataMap(dag) ? dag.get("tasks") : undefined;
    if (typeof dagId !== "string") continue;
    found.set(dagId, Array.isArray(tasks) ? tasks.filter((task) => typeof task === "string") : []);
  }
  return found;
}
