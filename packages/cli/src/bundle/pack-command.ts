import { type BigIntStats, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  BundleError,
  type BundleReport,
  checkExecutable,
  packBundle,
  readBundle,
  readExecutable,
} from "@parlance/bundle";
import { SCHEMA_VERSIONS } from "@parlance/protocol/schema-version";
import { CliError, ExitCode, usageError } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { makeWorkFolder } from "../work-folder.ts";
import { partsOf, readOld, readRegion } from "./packed-parts.ts";
import { prepareMetadata } from "./prepare-metadata.ts";
import { readInput } from "./read-source-files.ts";
import { refuseOverwriting } from "./refuse-overwriting.ts";
import { rewriteScript, type ScriptChanges } from "./rewrite-script.ts";
import { withBundleErrors } from "./with-bundle-errors.ts";

/** In larger executables a buried footer is not searched for. */
const MAX_SEARCHED_BYTES = 1 << 28;

/** Flags of `parlance bundle pack`; paths as they were typed. */
export interface PackCommandOptions extends ScriptChanges {
  readonly executable: string;
  readonly metadata?: string;
  readonly source: readonly string[];
  readonly out?: string;
  readonly repack?: boolean;
  readonly force?: boolean;
  readonly schemaVersion?: string;
  readonly platform?: string;
  readonly arch?: string;
  readonly json?: boolean;
}

/** Packs an executable with metadata and source from files, or a bundle again. */
export async function packCommand(options: PackCommandOptions, io: CommandIo): Promise<void> {
  checkFlags(options);
  await withBundleErrors(io, async () => {
    const executable = resolve(io.cwd, options.executable);
    const out = outOf(options, io.cwd);
    const { metadata, source, repack } = options;
    // packBundle looks at the executable, but may see a changed copy of it
    const inputs = [metadata, ...source, repack === true ? undefined : executable];
    refuseOverwriting(
      out,
      inputs.filter((file) => file !== undefined).map((file) => resolve(io.cwd, file)),
    );
    const before = statSync(executable, { bigint: true, throwIfNoEntry: false });
    const old = repack === true ? await readOld(executable) : undefined;
    const parts = partsOf(options, executable, old, io.cwd);
    const prepared = prepareMetadata({
      ...parts,
      name: options.metadata ?? options.executable,
      knownSchemaVersions: SCHEMA_VERSIONS,
      schemaVersion: options.schemaVersion,
    });
    const { packed, notes } = await withExecutable(
      options,
      executable,
      old,
      async (from, length) => {
        const found = judge(options, from, length, executable);
        if (old === undefined) found.push(...(await buriedFooter(executable)));
        refuseChanged(executable, before);
        const written = await packBundle({
          executable: from,
          executableBytes: from === executable ? length : undefined,
          metadata: prepared.bytes,
          sources: parts.region,
          out,
          mode: from === executable ? undefined : runnableMode(executable),
          signal: io.signal,
        });
        return { packed: written, notes: found };
      },
    );
    for (const note of prepared.notes) await tell(io, options.metadata ?? options.executable, note);
    for (const note of notes) await tell(io, options.executable, `warning: ${note}`);
    const { path, size, footer, regions } = packed;
    if (options.json === true) return writeJson(io.stdout, { path, size, footer, regions });
    const shown = options.out ?? options.executable;
    await write(io.stdout, `Packed ${escapeControls(shown)} (${size} bytes)\n`);
  });
}

function checkFlags(options: PackCommandOptions): void {
  if (options.repack !== true && options.metadata === undefined) {
    throw usageError("--metadata names the metadata; only --repack can do without");
  }
  if (options.repack !== true && options.out === undefined) {
    throw usageError("--out names the file to write; only --repack can do without");
  }
  const line = options.interpreter;
  if (line !== undefined && !/^#![^\r\n]+$/.test(line)) {
    throw usageError('--interpreter takes a whole first line, such as "#!/usr/bin/env node"');
  }
}

async function tell(io: CommandIo, name: string, note: string): Promise<void> {
  await write(io.stderr, `${escapeControls(`${name}: ${note}`)}\n`);
}

function outOf(options: PackCommandOptions, cwd: string): string {
  const out = resolve(cwd, options.out ?? options.executable);
  return options.out?.endsWith("/") === true ? `${out}/` : out;
}

/** Hands over the executable, or a changed copy of it, and how much of it is to be packed. */
async function withExecutable<T>(
  options: PackCommandOptions,
  executable: string,
  old: BundleReport | undefined,
  work: (from: string, length: number | undefined) => Promise<T>,
): Promise<T> {
  const region = old?.regions?.executable;
  if (options.lf !== true && options.interpreter === undefined) {
    return work(executable, region?.length);
  }
  const script = region === undefined ? readInput(executable) : readRegion(executable, region);
  const changed = rewriteScript(script, options, options.executable);
  const folder = await makeWorkFolder("pack");
  try {
    const copy = join(folder.path, "executable");
    writeFileSync(copy, changed);
    return await work(copy, undefined);
  } finally {
    await folder.remove();
  }
}

/** What was read of it before counts for the file as it was. */
function refuseChanged(path: string, before: BigIntStats | undefined): void {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  const facts = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
  if (facts.every((fact) => now?.[fact] === before?.[fact])) return;
  throw new BundleError("changed", `${path} changed while it was read; pack again.`, { path });
}

/** @returns what to know @throws CliError for what would not run; --force lets most of it pass */
function judge(
  options: PackCommandOptions,
  from: string,
  length: number | undefined,
  executable: string,
): string[] {
  const { platform, arch } = options;
  const found = readExecutable(from, length);
  const hasExecuteBit = (statSync(executable).mode & 0o111) !== 0;
  const findings = checkExecutable(found, { platform, arch, hasExecuteBit });
  for (const { code, message, weight } of findings) {
    const isAsked = code === "wrong-platform" || code === "wrong-architecture";
    if (weight === "note" || (options.force === true && !isAsked)) continue;
    const force = isAsked ? "" : " With --force it is packed all the same.";
    const text = `${options.executable} can't be packed: ${message}${force}`;
    throw new CliError(code, text, ExitCode.badInput, { path: executable });
  }
  return findings.map(({ message }) => message);
}

/** A footer that other bytes follow may be a program's own data, or a bundle that was signed. */
async function buriedFooter(executable: string): Promise<readonly string[]> {
  if (statSync(executable).size > MAX_SEARCHED_BYTES) return [];
  const { problems } = await readBundle(executable);
  return problems.filter(({ code }) => code === "trailing-bytes").map(({ message }) => message);
}

/** As packBundle makes it of the executable's own. */
function runnableMode(executable: string): number {
  const { mode } = statSync(executable);
  return (mode & 0o777) | ((mode & 0o444) >> 2);
}
