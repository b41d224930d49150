import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CliError, ExitCode } from "../errors.ts";
import { ownVersion } from "../own-version.ts";
import { projectFiles } from "./templates.ts";

/** What `parlance init` made. */
export interface InitResult {
  readonly path: string;
  readonly dagId: string;
  readonly files: readonly string[];
}

/**
 * Makes a new project in a folder that is absent or empty. The folder appears whole or not at all.
 *
 * @throws CliError `not-empty` (65), `cannot-write` (65)
 */
export async function initProject(directory: string, cwd: string): Promise<InitResult> {
  const path = resolve(cwd, directory);
  const exists = await mustBeAbsentOrEmpty(path, directory);
  const names = { packageName: packageName(path), dagId: dagId(path), version: await ownVersion() };
  const files = projectFiles(names);
  let draft: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    draft = await mkdtemp(join(dirname(path), ".parlance-init-"));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(draft, name)), { recursive: true });
      await writeFile(join(draft, name), text);
    }
    if (exists) await rm(path, { recursive: true });
    await rename(draft, path);
  } catch (cause) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
    const { message } = cause as Error;
    throw new CliError(
      "cannot-write",
      `Cannot make the project in ${directory}: ${message}`,
      ExitCode.badInput,
      { path },
      { cause },
    );
  }
  return { path, dagId: names.dagId, files: Object.keys(files) };
}

async function mustBeAbsentOrEmpty(path: string, given: string): Promise<boolean> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    if (error.code === "ENOTDIR") return ["(a file)"];
    throw error;
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

/** A Dag id that is also a Python name: it becomes the function's. */
function dagId(path: string): string {
  const words = packageName(path)
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/_+$/, "");
  return /^[a-z]/.test(words) ? words : `dag_${words}`;
}
