import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The folder that a program belongs to, and what it is called. */
export interface Project {
  readonly folder: string;
  readonly name: string | undefined;
}

/** The nearest folder with a package.json from a file upwards; else the file's own. */
export async function projectOf(file: string): Promise<Project> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return { folder, name: nameIn(text) };
    if (dirname(folder) === folder) return { folder: dirname(file), name: undefined };
  }
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}
