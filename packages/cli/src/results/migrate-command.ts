import {
  type FailedChange,
  type MigrationReport,
  migrate,
  printTables,
  type SchemaChange,
} from "@parlance/results";
import { ExitCode, usageError } from "../errors.ts";
import { type CommandIo, writeJson } from "../io.ts";
import { escapeControls } from "../terminal-text.ts";
import { printLines } from "./print-document.ts";
import { isAbsentFile } from "./store/sqlite-file.ts";
import type { StoreFlags } from "./store/store-flags.ts";
import { toCliError } from "./store/to-cli-error.ts";
import { unlessAborted } from "./store/unless-aborted.ts";
import { guarded, tableOptions } from "./store/with-store.ts";

/** Flags of `parlance results migrate`. */
export interface MigrateFlags extends StoreFlags {
  readonly check?: boolean;
  readonly print?: boolean;
  readonly largeValues?: boolean;
  readonly dialect?: string;
}

/** `parlance results migrate` */
export async function migrateCommand(flags: MigrateFlags, io: CommandIo): Promise<void> {
  const { check = false, print = false, dialect } = flags;
  if (check && print) throw usageError("--check and --print can't both be given");
  if (dialect !== undefined && !print) throw usageError("--dialect needs --print");
  if (dialect !== undefined) return printAll(dialect, flags, io);
  await guarded(flags, io, async (url) => {
    if (print && isForeign(url)) return printAll(url, flags, io);
    const looksOnly = check || print;
    // Looking at a file that is not there must not make it: an empty database lacks the same.
    const target = looksOnly && isAbsentFile(url) ? "db+sqlite://" : url;
    const work = migrate(target, {
      ...tableOptions(flags),
      check: looksOnly,
      largeValues: flags.largeValues === true,
      signal: io.signal,
    });
    const report = await unlessAborted(work, io.signal);
    if (print) await printStatements(report.dialect, statementsOf(report.missing), flags, io);
    else if (check) await printMissing(report, flags, io);
    else await printMade(report, flags, io);
  });
}

/** A database that can't be connected to: its statements can be had all the same. */
function isForeign(url: string): boolean {
  return /^(?:(?:db|database)\+)?(?:oracle|mssql)\b/i.test(url);
}

/** All statements for an empty database; connects to nothing. */
async function printAll(dialect: string, flags: MigrateFlags, io: CommandIo): Promise<void> {
  try {
    const tables = printTables(dialect, tableOptions(flags));
    await printStatements(tables.dialect, tables.statements, flags, io);
  } catch (error) {
    throw toCliError(error);
  }
}

async function printStatements(
  dialect: string,
  statements: readonly string[],
  flags: MigrateFlags,
  io: CommandIo,
): Promise<void> {
  if (flags.json === true) return writeJson(io.stdout, { dialect, statements });
  // For a file of SQL, so nothing is escaped: the names in it were checked.
  await printLines(
    statements.map((statement) => `${statement};`),
    io,
  );
}

async function printMissing(
  { dialect, missing }: MigrationReport,
  flags: MigrateFlags,
  io: CommandIo,
): Promise<void> {
  const upToDate = missing.length === 0;
  if (!upToDate) io.setExitCode(ExitCode.failed);
  if (flags.json === true) return writeJson(io.stdout, { dialect, upToDate, missing });
  const lines = missing.map((change) => `missing: ${nameOf(change)}`);
  await printLines(upToDate ? ["The tables are up to date"] : lines, io);
}

async function printMade(
  { dialect, made, failed }: MigrationReport,
  flags: MigrateFlags,
  io: CommandIo,
): Promise<void> {
  if (failed.length > 0) io.setExitCode(ExitCode.failed);
  if (flags.json === true) {
    const flat = failed.map(({ change, reason }: FailedChange) => ({ ...change, reason }));
    return writeJson(io.stdout, { dialect, made, failed: flat });
  }
  const lines = [
    ...made.map((change) => `made: ${nameOf(change)}`),
    ...failed.map(({ change, reason }) => `failed: ${nameOf(change)}: ${escapeControls(reason)}`),
  ];
  await printLines(lines.length === 0 ? ["The tables are up to date"] : lines, io);
}

function nameOf({ kind, table, name }: SchemaChange): string {
  const what =
    kind === "large-values" ? "larger binary columns" : `${kind} ${escapeControls(name)}`;
  return kind === "table" ? what : `${what} of ${escapeControls(table)}`;
}

function statementsOf(changes: readonly SchemaChange[]): readonly string[] {
  return changes.flatMap(({ statements }) => statements);
}
