import type { CommandIo } from "../io.ts";
import { askPython, type PythonAnswer } from "../python/ask-python.ts";
import { findPython } from "../python/find-python.ts";

/** A boolean that is, or would be, a number. */
export interface Edit {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly place: string;
  readonly from: "True" | "False";
  readonly to: "2.0" | "0";
}

/** A value that only running the file tells, or that is not ours to change. */
export interface Undecided {
  readonly line: number;
  readonly column: number;
  readonly place: string;
  readonly text: string;
  readonly why: string;
}

/** What Python's parser makes of one file. */
export type FileAnswer =
  | {
      readonly edits: readonly Edit[];
      readonly undecided: readonly Undecided[];
      /** The new file in base64, null when nothing changes. */
      readonly bytes: string | null;
    }
  | { readonly error: FileError };

/** Why Python could not read a file; `crash`: it went down over it. */
export interface FileError {
  readonly kind: "syntax" | "encoding" | "crash";
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** The answers, in the order of the files, and which Python gave them. */
export interface MigrationAnswers {
  readonly python: string;
  readonly files: readonly FileAnswer[];
}

/**
 * Lets Python's own parser look at the files.
 *
 * @param command - the Python to use; one of PATH when absent
 * @throws CliError `python-missing` (69); an AbortError when interrupted
 */
export async function runMigration(
  sources: readonly Uint8Array[],
  command: string | undefined,
  io: CommandIo,
): Promise<MigrationAnswers> {
  const python = await findPython(command, io);
  const together = await ask(python, sources, io);
  if (together.answer !== undefined) return together.answer;
  // A parser that a file brings down takes the others with it: one by one, then.
  const files: FileAnswer[] = [];
  let version = "";
  for (const source of sources) {
    const alone = await ask(python, [source], io);
    version = alone.answer?.python ?? version;
    const message = `the Python that parsed it ${alone.end}`;
    const error = { kind: "crash", message, line: null, column: null } as const;
    files.push(alone.answer?.files[0] ?? { error });
  }
  return { python: version, files };
}

function ask(
  python: string,
  sources: readonly Uint8Array[],
  io: CommandIo,
): Promise<PythonAnswer<MigrationAnswers>> {
  const files = sources.map((source) => ({ bytes: Buffer.from(source).toString("base64") }));
  return askPython<MigrationAnswers>(python, "migrate_backoff", { files }, io);
}
