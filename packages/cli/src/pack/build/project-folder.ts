import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CliError, ExitCode } from "../../errors.ts";

/**
 * The entry's absolute path, links followed as esbuild follows them.
 *
 * @throws CliError `cannot-read` (65)
 */
export async function findEntry(given: string, cwd: string): Promise<string> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return realpath(path);
  const what = found === undefined ? "there is no such file" : "it is not a regular file";
  throw new CliError(
    "cannot-read",
    `Cannot read the entry ${given}: ${what}. Give the TypeScript file that calls serve().`,
    ExitCode.badInput,
    { path },
  );
}

/** The nearest folder with a package.json, so that paths in the program do not depend on where it was built. */
export async function findProjectFolder(entry: string): Promise<string> {
  const start = dirname(entry);
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = await stat(join(folder, "package.json")).catch(() => undefined);
    if (manifest?.isFile() === true) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** The name in the nearest package.json that has one, and its folder; undefined when there is none. */
export async function findPackage(
  file: string,
): Promise<{ readonly name: string; readonly folder: string } | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    const name = text === undefined ? undefined : nameIn(text);
    if (name !== undefined) return { name, folder };
    if (dirname(folder) === folder) return undefined;
  }
}

function nameIn(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(manifest) as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}
