import { relative, resolve, sep } from "node:path";
import { CliError, ExitCode, usageError } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { readDocuments } from "./documents.ts";
import { type EmittedDag, emitDag } from "./emit-dag.ts";
import { dagFileName } from "./files/dag-file-name.ts";
import { type Provenance, withHead } from "./files/head.ts";
import { projectOf } from "./files/project-of.ts";
import { compareFile, findOrphans, type Settled, settleFile, type Wanted } from "./files/settle.ts";
import type { Finding } from "./read/findings.ts";

/** The flags of `parlance dag emit`. */
export interface EmitFlags {
  readonly dag?: readonly string[];
  readonly out?: string;
  readonly check?: boolean;
  readonly queue?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * Writes the Python files of a program's Dags. With `check` nothing is written, and the exit code is 1
 * when a file is not as it would be written.
 *
 * @throws CliError of `readDocuments`; `cannot-emit` (65) when a Dag has what stubs can't have, `file-not-ours`,
 * `file-edited` (1) without `force`, `cannot-write` (1); nothing is written then
 */
export async function emitCommand(path: string, flags: EmitFlags, io: CommandIo): Promise<void> {
  const { out, check = false, force = false, json = false } = flags;
  if (check && out === undefined) throw usageError("--check needs --out, what to check");
  const documents = await readDocuments(path, flags.dag ?? [], io);
  const emitted = documents.map((document) => emitDag(document, { queue: flags.queue }));
  refuseFaults(emitted, path);
  if (!json) await tellWarnings(emitted, io);
  const provenance = await provenanceOf(path, flags, io);
  const whole = (each: EmittedDag) => withHead(each.python, provenance);
  if (out === undefined) {
    if (!json) return void (await write(io.stdout, emitted.map(whole).join("\n\n")));
    return writeJson(io.stdout, {
      dags: emitted.map((each) => ({ ...said(each), text: whole(each) })),
    });
  }
  const wanted = emitted.map((each): Wanted => {
    const { dagId, python } = each;
    const file = pathOf(dagId, out, emitted.length, io);
    return { dagId, path: file, name: relative(io.cwd, file), text: whole(each), python };
  });
  refuseSamePaths(wanted);
  const settled: Settled[] = [];
  for (const each of wanted) settled.push(await compareFile(each, { check, force }));
  if (!check) for (const [at, each] of wanted.entries()) await settleFile(each, settled[at]);
  const isWhole = !out.endsWith(".py") && (flags.dag ?? []).length === 0;
  const orphans = isWhole ? await findOrphans(resolve(io.cwd, out), wanted, provenance) : [];
  const isBad =
    check && (orphans.length > 0 || settled.some(({ status }) => status !== "up-to-date"));
  if (isBad) io.setExitCode(ExitCode.failed);
  if (json) {
    const dags = emitted.map((each, at) => ({ ...said(each), ...shown(settled[at]) }));
    return writeJson(io.stdout, { dags, orphans });
  }
  await tellSettled(settled, orphans, io);
}

function said({ dagId, warnings }: EmittedDag): object {
  return { dagId, warnings };
}

function shown(settled: Settled | undefined): object {
  if (settled === undefined) return {};
  const { path, status, diff } = settled;
  return { path, status, ...(diff.length > 0 ? { diff: diff.join("\n") } : {}) };
}

function refuseFaults(emitted: readonly EmittedDag[], path: string): void {
  const faults = emitted.flatMap((each) => each.faults);
  if (faults.length === 0) return;
  const lines = faults.map(lineOf).join("\n  ");
  const message = `${path} has what the stubs of Airflow 3.3 can't say; nothing was written:\n  ${lines}`;
  throw new CliError("cannot-emit", message, ExitCode.badInput, { path, faults });
}

async function tellWarnings(emitted: readonly EmittedDag[], io: CommandIo): Promise<void> {
  for (const warning of emitted.flatMap((each) => each.warnings)) {
    await write(io.stderr, `${escapeControls(`warning: ${lineOf(warning)}`)}\n`);
  }
}

function lineOf({ where, message }: Finding): string {
  return `${where}: ${message}`;
}

async function provenanceOf(path: string, flags: EmitFlags, io: CommandIo): Promise<Provenance> {
  const file = resolve(io.cwd, path);
  const { folder, name } = await projectOf(file);
  const below = (each: string) =>
    relative(folder, resolve(io.cwd, each)).split(sep).join("/") || ".";
  const source = below(path);
  const options = [
    ...(flags.dag ?? []).flatMap((dagId) => ["--dag", dagId]),
    ...(flags.queue === undefined ? [] : ["--queue", flags.queue]),
    ...(flags.out === undefined ? [] : ["--out", below(flags.out)]),
  ];
  const command = ["npx", "parlance", "dag", "emit", source, ...options];
  return { source, project: name, command };
}

function pathOf(dagId: string, out: string, count: number, io: CommandIo): string {
  const path = resolve(io.cwd, out);
  if (!out.endsWith(".py")) return resolve(path, dagFileName(dagId));
  if (count === 1) return path;
  throw usageError(
    `--out ${out} is one file, and there are ${count} Dags: name a folder, or one by --dag`,
  );
}

/** File systems may take two names that differ in case alone for one. */
function refuseSamePaths(wanted: readonly Wanted[]): void {
  const seen = new Map<string, string>();
  for (const { path, dagId } of wanted) {
    const other = seen.get(path.toLowerCase());
    if (other !== undefined) {
      const message = `Dags ${other} and ${dagId} would be one file on some systems: write each with --dag and a file as --out.`;
      throw new CliError("same-file", message, ExitCode.badInput, { dags: [other, dagId] });
    }
    seen.set(path.toLowerCase(), dagId);
  }
}

async function tellSettled(
  settled: readonly Settled[],
  orphans: readonly string[],
  io: CommandIo,
): Promise<void> {
  for (const { diff } of settled) {
    if (diff.length > 0)
      await write(io.stdout, `${diff.map((line) => escapeControls(line)).join("\n")}\n`);
  }
  const name = (path: string) => escapeControls(relative(io.cwd, path));
  for (const { path, words } of settled) await write(io.stderr, `${name(path)}: ${words}\n`);
  for (const path of orphans) {
    await write(io.stderr, `${name(path)}: its Dag is no longer in the program; remove the file\n`);
  }
}
