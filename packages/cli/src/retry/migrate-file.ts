import { readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { replaceFile } from "../replace-file.ts";
import type { Edit, FileAnswer, Undecided } from "./run-migration.ts";

/** A Python file as it was read. */
export interface SourceFile {
  /** As it was typed. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: Buffer;
}

/** What became of one file, for people and for `--json`. */
export interface FileOutcome {
  readonly path: string;
  readonly status: "unchanged" | "to-change" | "changed" | "failed";
  readonly edits: readonly Edit[];
  readonly undecided: readonly Undecided[];
  readonly error?: {
    readonly code: "syntax" | "encoding" | "crash" | "cannot-read" | "cannot-write";
    readonly message: string;
    readonly line: number | null;
    readonly column: number | null;
  };
}

/** Reads the files, each once, however often and through whatever links it is named. */
export async function readSources(
  paths: readonly string[],
  io: CommandIo,
): Promise<readonly (SourceFile | FileOutcome)[]> {
  const seen = new Set<string>();
  const read: (SourceFile | FileOutcome)[] = [];
  for (const path of paths) {
    const absolute = resolve(io.cwd, path);
    try {
      const target = await realpath(absolute);
      if (seen.has(target)) continue;
      seen.add(target);
      // A device or a pipe may never end.
      if (!(await stat(target)).isFile()) {
        read.push(failed(path, "cannot-read", "it is no regular file; name the Python files"));
        continue;
      }
      read.push({ path, absolute, bytes: await readFile(target, { signal: io.signal }) });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (io.signal.aborted) return read;
      read.push(failed(path, "cannot-read", code === "ENOENT" ? "there is no such file" : message));
    }
  }
  return read;
}

/** What becomes of a file after Python has looked at it; with `write`, it is changed here. */
export async function settle(
  source: SourceFile,
  answer: FileAnswer,
  write: boolean,
): Promise<FileOutcome> {
  if ("error" in answer) {
    const { kind, message, line, column } = answer.error;
    return failed(source.path, kind, message, line, column);
  }
  const { edits, undecided, bytes } = answer;
  const outcome = { path: source.path, edits, undecided };
  if (bytes === null) return { ...outcome, status: "unchanged" };
  if (!write) return { ...outcome, status: "to-change" };
  try {
    const now = await readFile(source.absolute);
    if (!now.equals(source.bytes)) {
      return failed(source.path, "cannot-write", "it was changed by somebody else meanwhile");
    }
    await replaceFile(source.absolute, Buffer.from(bytes, "base64"));
    return { ...outcome, status: "changed" };
  } catch (error) {
    const message = error instanceof CliError ? error.message : (error as Error).message;
    return failed(source.path, "cannot-write", message);
  }
}

function failed(
  path: string,
  code: NonNullable<FileOutcome["error"]>["code"],
  message: string,
  line: number | null = null,
  column: number | null = null,
): FileOutcome {
  return {
    path,
    status: "failed",
    edits: [],
    undecided: [],
    error: { code, message, line, column },
  };
}
