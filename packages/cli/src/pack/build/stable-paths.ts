import { basename, join, relative, sep } from "node:path";
import { findPackage } from "./project-folder.ts";

/** What esbuild writes a file's path into: the comment before it, and the name of its wrapper. */
const NAMED_LINE = /^(\/\/ |[ \t]+")(\.\.\/[^"\n]*)(?=$|"\()/gm;

/**
 * New names for files outside of the project's folder. esbuild names them by the way that leads to
 * them from there, which is another one wherever the folder lies: `../../../home/…`. Here they are
 * named by their package.
 *
 * @param paths - as esbuild has them, from the project's folder
 */
export async function stablePaths(
  paths: readonly string[],
  projectFolder: string,
): Promise<ReadonlyMap<string, string>> {
  const outside = paths.filter((path) => path.startsWith("../"));
  const entries = outside.map(
    async (path) => [path, await stableName(path, projectFolder)] as const,
  );
  return new Map(await Promise.all(entries));
}

/** A program with its files named anew. */
export function renameFiles(program: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return program;
  return program.replace(NAMED_LINE, (line, before: string, path: string) => {
    const name = names.get(path);
    return name === undefined ? line : before + name;
  });
}

async function stableName(path: string, projectFolder: string): Promise<string> {
  const at = path.lastIndexOf("/node_modules/");
  if (at >= 0) return path.slice(at + 1);
  const file = join(projectFolder, path);
  const found = await findPackage(file);
  if (found === undefined) return basename(file);
  const name = `${found.name}/${relative(found.folder, file).split(sep).join("/")}`;
  // A package that is linked, not installed, makes the same bundle; one in TypeScript is the user's own.
  return /\.[cm]?tsx?$/.test(name) ? name : `node_modules/${name}`;
}
