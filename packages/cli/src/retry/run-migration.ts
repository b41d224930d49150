import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";

const SCRIPT = fileURLToPath(new URL("../../python/migrate_backoff", import.meta.url));
const CANDIDATES = ["python3", "python"];
const PROBE = "import sys; print(*sys.version_info[:2])";
/** Isolated: nothing of the user's environment or of the current folder is imported. */
const FLAGS = ["-I", "-S", "-B"];

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
  if (together.answers !== undefined) return together.answers;
  // A parser that a file brings down takes the others with it: one by one, then.
  const files: FileAnswer[] = [];
  let version = "";
  for (const source of sources) {
    const alone = await ask(python, [source], io);
    version = alone.answers?.python ?? version;
    const message = `the Python that parsed it ${alone.end}`;
    const error = { kind: "crash", message, line: null, column: null } as const;
    files.push(alone.answers?.files[0] ?? { error });
  }
  return { python: version, files };
}

async function findPython(command: string | undefined, io: CommandIo): Promise<string> {
  const seen: string[] = [];
  for (const candidate of command === undefined ? CANDIDATES : [command]) {
    const options = { env: io.env, cwd: io.cwd, signal: io.signal };
    try {
      const { stdout } = await promisify(execFile)(candidate, [...FLAGS, "-c", PROBE], options);
      const [major = 0, minor = 0] = stdout.trim().split(" ").map(Number);
      if (major === 3 && minor >= 8) return candidate;
      seen.push(`${candidate} is ${stdout.trim().replace(" ", ".")}`);
    } catch (error) {
      if (io.signal.aborted) throw error;
      const { code } = error as NodeJS.ErrnoException;
      seen.push(`${candidate} ${code === "ENOENT" ? "is not there" : "does not run"}`);
    }
  }
  const message =
    `There is no Python 3.8 or newer (${seen.join("; ")}). Install Python 3 and have python3 on ` +
    "PATH, or name one with --python: its own parser reads the files.";
  throw new CliError("python-missing", message, ExitCode.unavailable);
}

async function ask(
  python: string,
  sources: readonly Uint8Array[],
  io: CommandIo,
): Promise<{ readonly answers?: MigrationAnswers; readonly end: string }> {
  const child = spawn(python, [...FLAGS, SCRIPT], {
    env: io.env,
    cwd: io.cwd,
    signal: io.signal,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {}); // it may end without reading: its end says why
  const files = sources.map((source) => ({ bytes: Buffer.from(source).toString("base64") }));
  child.stdin.end(JSON.stringify({ files }));
  const end = await new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `ended with ${signal ?? code}`));
  });
  if (end === "") {
    return { answers: JSON.parse(Buffer.concat(stdout).toString("utf8")) as MigrationAnswers, end };
  }
  const lastWords = Buffer.concat(stderr).toString("utf8").trim().split("\n").at(-1);
  return { end: lastWords === "" ? end : `${end}: ${lastWords}` };
}
