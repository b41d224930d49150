import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError, ExitCode } from "../../errors.ts";
import { makeFolder } from "../../make-folder.ts";
import { replaceFile } from "../../replace-file.ts";
import { isMadeFrom, isSamePython, type Provenance, readWritten } from "./head.ts";
import { lineDiff } from "./line-diff.ts";

/** A file as it should be. */
export interface Wanted {
  readonly dagId: string;
  /** Absolute. */
  readonly path: string;
  /** As people know it. */
  readonly name: string;
  readonly text: string;
  /** The text without its head. */
  readonly python: string;
}

/** What has become of a file, or with `--check` how it is. */
export type Status =
  | "written"
  | "unchanged"
  | "up-to-date"
  | "missing"
  | "stale"
  | "edited"
  | "not-ours";

/** The end of one file. */
export interface Settled {
  readonly path: string;
  readonly status: Status;
  /** For people. */
  readonly words: string;
  /** From what is there to what should be; with `--check` alone. */
  readonly diff: readonly string[];
}

const WORDS: Readonly<Record<Status, string>> = {
  written: "written",
  unchanged: "unchanged",
  "up-to-date": "up to date",
  missing: "is not there; run the command without --check",
  stale: "not as the program is now; run the command without --check",
  edited: "was edited by hand; what is to stay belongs into the program",
  "not-ours": "was not written by this command, and is another Dag",
};

/**
 * How a file that is there compares.
 *
 * @throws CliError `file-not-ours`, `file-edited` (1) where it would be overwritten; `cannot-read` (65)
 */
export async function compareFile(
  wanted: Wanted,
  { check, force }: { readonly check: boolean; readonly force: boolean },
): Promise<Settled> {
  const { path, name, python } = wanted;
  const there = await readIfThere(path);
  if (there === undefined) return settled(path, check ? "missing" : "written");
  const found = readWritten(there);
  if (isSamePython(found.python, python) && (found.isOurs || check)) {
    return settled(path, check ? "up-to-date" : "unchanged");
  }
  const status = !found.isOurs ? "not-ours" : found.isEdited ? "edited" : "stale";
  if (check) {
    const diff = lineDiff(found.python, python, [name, `${name} (from the program)`]);
    return { ...settled(path, status), diff };
  }
  if (status !== "stale" && !force) {
    const code = status === "edited" ? "file-edited" : "file-not-ours";
    const message = `${path} ${WORDS[status]}. Nothing was written; --force overwrites it.`;
    throw new CliError(code, message, ExitCode.failed, { path });
  }
  return settled(path, "written");
}

/** Writes a file whole, where it has to be. */
export async function settleFile(wanted: Wanted, how: Settled | undefined): Promise<void> {
  if (how?.status !== "written") return;
  await makeFolder(dirname(wanted.path)).catch(() => {}); // writing says why
  await replaceFile(wanted.path, wanted.text);
}

/** Files of a folder that the same program once made, of Dags that it no longer has. */
export async function findOrphans(
  folder: string,
  wanted: readonly Wanted[],
  provenance: Provenance,
): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => name.endsWith(".py")).map((name) => join(folder, name));
  const orphans: string[] = [];
  for (const path of paths.sort()) {
    if (wanted.some((each) => each.path === path)) continue;
    const text = await readIfThere(path).catch(() => undefined);
    if (text === undefined || !readWritten(text).isOurs) continue;
    if (isMadeFrom(text, provenance)) orphans.push(path);
  }
  return orphans;
}

function settled(path: string, status: Status): Settled {
  return { path, status, words: WORDS[status], diff: [] };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const text = `Cannot read ${path}: ${message}`;
    throw new CliError("cannot-read", text, ExitCode.badInput, { path }, { cause });
  }
}
