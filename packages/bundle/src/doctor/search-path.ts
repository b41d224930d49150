import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** Whether something at a path can be started by this process. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where a program is found by its name, or undefined. */
export function findOnPath(name: string, folders: readonly string[]): string | undefined {
  if (name.includes("/")) return isProgram(name) ? name : undefined;
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** The file that a path leads to, e.g. `busybox` for its `env`. */
export function realName(path: string): string {
  try {
    return basename(realpathSync(path));
  } catch {
    return basename(path);
  }
}
