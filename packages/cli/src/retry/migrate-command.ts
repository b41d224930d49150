import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { colorsFor } from "../run/terminal-observer.ts";
import { signalExitCode } from "../signal-exit-code.ts";
import { escapeControls } from "../terminal-text.ts";
import { type FileOutcome, readSources, type SourceFile, settle } from "./migrate-file.ts";
import { type FileAnswer, type MigrationAnswers, runMigration } from "./run-migration.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** Flags of `parlance retry migrate`. */
export interface MigrateFlags {
  readonly write?: boolean;
  readonly python?: string;
  readonly json?: boolean;
}

/**
 * Makes numbers of the booleans that Python files give as `retry_exponential_backoff`, or prints
 * what it would change. Exit code 1 when there is something to change and nothing was asked to be
 * written. Interrupted, it ends with the file it is at.
 *
 * @throws CliError `python-missing` (69); after all files were done, `bad-python` (65) when some
 * could not be read or parsed, `cannot-write` (1)
 */
export async function migrateCommand(
  paths: readonly string[],
  flags: MigrateFlags,
  io: CommandIo,
): Promise<void> {
  const sources = await readSources(paths, io);
  const readable = sources.filter((source): source is SourceFile => "bytes" in source);
  const answers = await askPython(readable, flags, io);
  if (answers === undefined) return;
  const answerOf = new Map(readable.map((source, at) => [source, answers.files[at] as FileAnswer]));
  const outcomes: FileOutcome[] = [];
  for (const source of sources) {
    if (io.signal.aborted) break; // what was written is reported
    const answer = "bytes" in source ? answerOf.get(source) : undefined;
    if (answer === undefined || !("bytes" in source)) {
      outcomes.push(source as FileOutcome);
      continue;
    }
    const outcome = await settle(source, answer, flags.write === true);
    outcomes.push(outcome);
    if (flags.json !== true && outcome.status === "to-change") await printDiff(source, answer, io);
  }
  if (flags.json === true) await writeJson(io.stdout, { python: answers.python, files: outcomes });
  else await report(outcomes, io);
  if (io.signal.aborted) io.setExitCode(signalExitCode(io));
  else conclude(outcomes, io);
}

/** Undefined when it was interrupted. */
async function askPython(
  sources: readonly SourceFile[],
  flags: MigrateFlags,
  io: CommandIo,
): Promise<MigrationAnswers | undefined> {
  try {
    const bytes = sources.map((source) => source.bytes);
    return await runMigration(bytes, flags.python, io);
  } catch (error) {
    if (!io.signal.aborted) throw error;
    io.setExitCode(signalExitCode(io));
    return undefined;
  }
}

async function printDiff(source: SourceFile, answer: FileAnswer, io: CommandIo): Promise<void> {
  if ("error" in answer || answer.bytes === null) return;
  const after = Buffer.from(answer.bytes, "base64");
  const lines = unifiedDiff(escapeControls(source.path), source.bytes, after);
  if ((io.stdout as NodeJS.WriteStream).isTTY !== true) {
    await write(io.stdout, Buffer.from(lines.join(""), "latin1"));
    return;
  }
  const { red, green, dim } = colorsFor(io.stdout, io.env);
  const paint: Readonly<Record<string, (text: string) => string>> = {
    "-": red,
    "+": green,
    "@": dim,
  };
  const shown = lines.map((line) => {
    const text = escapeControls(Buffer.from(line.slice(0, -1), "latin1").toString("utf8"));
    return `${(paint[line.charAt(0)] ?? String)(text)}\n`;
  });
  await write(io.stdout, shown.join(""));
}

async function report(outcomes: readonly FileOutcome[], io: CommandIo): Promise<void> {
  const lines = outcomes.flatMap(({ path, undecided, error }) => {
    const told = undecided.map(({ line, column, text, why }) => {
      return `${path}:${line}:${column}: left as it is: ${text}: ${why}`;
    });
    if (error === undefined) return told;
    const place = error.line === null ? path : `${path}:${error.line}`;
    return [...told, `${place}: ${error.code}: ${error.message}`];
  });
  const count = (status: FileOutcome["status"]) => {
    return outcomes.filter((outcome) => outcome.status === status).length;
  };
  const edits = outcomes.reduce((sum, outcome) => sum + outcome.edits.length, 0);
  const undecided = outcomes.reduce((sum, outcome) => sum + outcome.undecided.length, 0);
  lines.push(
    `${counted(count("changed"), "file")} changed, ${count("to-change")} to change, ` +
      `${count("unchanged")} unchanged, ${count("failed")} failed; ` +
      `${counted(edits, "boolean")}, ${counted(undecided, "place")} to decide by hand`,
  );
  await write(io.stderr, lines.map((line) => `${escapeControls(line)}\n`).join(""));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function conclude(outcomes: readonly FileOutcome[], io: CommandIo): void {
  const errors = outcomes.flatMap(({ path, error }) =>
    error === undefined ? [] : [{ path, error }],
  );
  const [first] = errors;
  if (first !== undefined) {
    const unreadable = errors.find(({ error }) => error.code !== "cannot-write");
    const { path, error } = unreadable ?? first;
    const place = error.line === null ? path : `${path}:${error.line}`;
    const more = errors.length > 1 ? ` (and ${counted(errors.length - 1, "more file")})` : "";
    throw new CliError(
      unreadable === undefined ? "cannot-write" : "bad-python",
      `${place}: ${error.message}${more}; the other files are done`,
      unreadable === undefined ? ExitCode.failed : ExitCode.badInput,
      { files: errors.map((each) => ({ path: each.path, ...each.error })) },
    );
  }
  if (outcomes.some(({ status }) => status === "to-change")) io.setExitCode(ExitCode.failed);
}
