import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { askPython } from "../python/ask-python.ts";
import { findPython } from "../python/find-python.ts";
import type { StubAnswer, StubFile } from "./stub-answer.ts";

/**
 * Lets Python's own parser read the stubs of a Dag file; nothing of the file is run.
 *
 * @param python - the Python to use; one of PATH when absent
 * @throws CliError `cannot-read`, `bad-python` (65), `python-missing` (69)
 */
export async function readStubs(
  path: string,
  python: string | undefined,
  io: CommandIo,
): Promise<StubFile> {
  const bytes = await readDagFile(path, io);
  const command = await findPython(python, io);
  const files = [{ bytes: bytes.toString("base64") }];
  const { answer, end } = await askPython<{ readonly files: readonly StubAnswer[] }>(
    command,
    "stub_types",
    { files },
    io,
  );
  const file = answer?.files[0];
  if (file === undefined) throw badPython(path, null, `the Python that parsed it ${end}`);
  if (!("error" in file)) return file;
  const { message, line, column } = file.error;
  throw badPython(path, line, message, { line, column });
}

async function readDagFile(path: string, io: CommandIo): Promise<Buffer> {
  const absolute = resolve(io.cwd, path);
  try {
    // A device or a pipe may never end.
    if (!(await stat(absolute)).isFile()) throw new Error("it is no regular file");
    return await readFile(absolute, { signal: io.signal });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : message;
    const text = `Cannot read ${path}: ${why}. Name the Python file of the Dag with --dag.`;
    throw new CliError("cannot-read", text, ExitCode.badInput, { file: path }, { cause });
  }
}

function badPython(
  file: string,
  line: number | null,
  message: string,
  details: object = {},
): CliError {
  const place = line === null ? file : `${file}:${line}`;
  return new CliError("bad-python", `${place}: ${message}`, ExitCode.badInput, {
    file,
    ...details,
  });
}
