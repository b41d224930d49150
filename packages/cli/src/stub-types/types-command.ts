import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError, ExitCode } from "../errors.ts";
import { type CommandIo, write, writeJson } from "../io.ts";
import { replaceFile } from "../replace-file.ts";
import { escapeControls } from "../terminal-text.ts";
import { readStubs } from "./read-stubs.ts";
import { renderTypes } from "./render-types.ts";
import type { StubFile } from "./stub-answer.ts";

/** Flags of `parlance types`. */
export interface TypesFlags {
  readonly dag: string;
  readonly out?: string;
  readonly check?: boolean;
  readonly python?: string;
  readonly json?: boolean;
}

/**
 * Writes the types of the stubs of a Python Dag file. With `check` nothing is written, and the exit
 * code is 1 when the file is not as it would be written.
 *
 * @throws CliError `cannot-read`, `bad-python`, `no-stubs` (65), `python-missing` (69),
 * `cannot-write` (1)
 */
export async function typesCommand(flags: TypesFlags, io: CommandIo): Promise<void> {
  const { dag, out, check = false } = flags;
  if (check && out === undefined) {
    throw new CliError("usage", "--check needs --out, the file to check.", ExitCode.usage);
  }
  const file = await readStubs(dag, flags.python, io);
  await tellProblems(file, dag, io);
  if (file.dags.length === 0) {
    const message = `${dag} has no @task.stub that is called in a Dag; nothing was written.`;
    throw new CliError("no-stubs", message, ExitCode.badInput, { file: dag });
  }
  const text = renderTypes(file, commandLine(flags));
  const status = out === undefined ? "printed" : await settle(resolve(io.cwd, out), text, check);
  if (status === "stale") io.setExitCode(ExitCode.failed);
  if (flags.json === true) {
    const dags = file.dags.map(({ dagId, stubs }) => ({ dagId, tasks: stubs }));
    const shown = out === undefined ? { text } : { out };
    await writeJson(io.stdout, { dag, ...shown, status, dags, problems: file.problems });
  } else if (out === undefined) {
    await write(io.stdout, text);
  } else {
    await write(io.stderr, `${escapeControls(out)}: ${WORDS[status]}\n`);
  }
}

type Status = "printed" | "written" | "unchanged" | "up-to-date" | "stale";

const WORDS: Readonly<Record<Status, string>> = {
  printed: "printed",
  written: "written",
  unchanged: "unchanged",
  "up-to-date": "up to date",
  stale: "not as the Dag is now; run the command without --check",
};

/** Whatever words it was made with: paths may be typed in more than one way. */
function body(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

/** Whether a text is the other but for what formatters change. */
function isSame(one: string, other: string): boolean {
  const bare = (text: string) =>
    text
      .replace(/[\s;]+/g, "")
      .replace(/,(?=[)}\]>])|(?<=[=<:(])\|/g, "")
      .replaceAll("'", '"');
  return bare(one) === bare(other);
}

async function settle(path: string, text: string, check: boolean): Promise<Status> {
  const there = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CliError("cannot-read", `Cannot read ${path}: ${error.message}`, ExitCode.badInput);
  });
  if (check) return there !== undefined && isSame(body(there), body(text)) ? "up-to-date" : "stale";
  if (there !== undefined && isSame(there, text)) return "unchanged";
  await replaceFile(path, text);
  return "written";
}

/** As it is to be typed again. */
function commandLine({ dag, out }: TypesFlags): string {
  const words = ["parlance", "types", "--dag", dag, ...(out === undefined ? [] : ["--out", out])];
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return quoted.join(" ").replace(/[\r\n\u2028\u2029`]/g, "?");
}

async function tellProblems({ problems }: StubFile, dag: string, io: CommandIo): Promise<void> {
  for (const { line, message } of problems) {
    await write(io.stderr, `${escapeControls(`${dag}:${line}: ${message}`)}\n`);
  }
}
