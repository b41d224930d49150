import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CliError, ExitCode } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { ownVersion } from "../own-version.ts";
import { projectFiles } from "./templates.ts";

/** What `parlance init` made. */
export interface InitResult {
  readonly path: string;
  readonly dagId: string;
  readonly files: readonly string[];
}

/**
 * Makes a new project in a folder that is absent or empty. A new folder appears whole or not at
 * all; an empty one is filled and stays the same folder, since a shell may be in it.
 *
 * @throws CliError `not-empty` (65), `cannot-write` (65)
 */
export async function initProject(directory: string, cwd: string): Promise<InitResult> {
  const path = resolve(cwd, directory);
  const exists = await mustBeAbsentOrEmpty(path, directory);
  const names = { packageName: packageName(path), dagId: dagId(path), version: await ownVersion() };
  const files = projectFiles(names);
  // Not by mkdtemp: that folder would be closed to everybody else, and so would the project.
  const draft = join(exists ? path : dirname(path), `.parlance-init-${randomUUID()}`);
  try {
    await makeFolder(dirname(draft));
    await mkdir(draft);
    for (const [name, text] of Object.entries(files)) {
      await makeFolder(dirname(join(draft, name)));
      await writeFile(join(draft, name), text);
    }
    await (exists ? moveEntries(draft, path) : rename(draft, path));
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw cannotWrite(directory, path, cause);
  }
  return { path, dagId: names.dagId, files: Object.keys(files) };
}

function cannotWrite(given: string, path: string, cause: unknown): CliError {
  return new CliError(
    "cannot-write",
    `Cannot make the project in ${given}: ${(cause as Error).message}`,
    ExitCode.badInput,
    { path },
    { cause },
  );
}

async function moveEntries(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name));
  await rm(from, { recursive: true });
}

async function mustBeAbsentOrEmpty(path: string, given: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ENOTDIR") return ["(a file)"];
    throw cannotWrite(given, path, error);
  });
  if (entries === undefined) return false;
  if (entries.length === 0) return true;
  throw new CliError(
    "not-empty",
    `Cannot make a project in ${given}: something is there already. Name a new or an empty folder.`,
    ExitCode.badInput,
    { path },
  );
}

function packageName(path: string): string {
  const name = basename(path)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "");
  return name === "" ? "airflow-tasks" : name;
}

/** Words that a Python function can't be called, or that would hide what the Dag file imports. */
const TAKEN_IN_PYTHON = new Set(
  (
    "and as assert async await break class continue dag def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return task try while with yield"
  ).split(" "),
);

/** A Dag id that is also a Python name: it becomes the function's. */
function dagId(path: string): string {
  const words = packageName(path)
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/_+$/, "");
  return /^[a-z]/.test(words) && !TAKEN_IN_PYTHON.has(words) ? words : `dag_${words}`;
}
