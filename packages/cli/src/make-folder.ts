import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing; one that is there is fine.
 *
 * Not `mkdir` with `recursive`: where a file system answers ENOENT though the parent is there, as
 * /proc does, that tries again for ever (seen with Node 20.20).
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  await makeFolder(dirname(path));
  if (!(await isMade(path))) await mkdir(path); // says why it can't be made
}

/** False where the parent is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return true; // where it is no folder, using it says so
    if (code === "ENOENT" && dirname(path) !== path) return false;
    throw error;
  }
}
