import { cpSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** Whom a program runs as: the user of this process, or somebody else when that is root. */
export type ProgramUser = { readonly uid: number; readonly gid: number } | Record<string, never>;

// `nobody` of Debian, Fedora, Alpine and Arch.
const NOBODY = 65_534;
const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_RUN = 0o005;

/** Database servers refuse root, and need none of its rights. */
export function programUser(): ProgramUser {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

/** A folder for temporary ones that this user can enter. */
export function openFolder(user: ProgramUser): string {
  if (!("uid" in user)) return tmpdir();
  const open = [tmpdir(), "/tmp", "/var/tmp"].find((folder) => canEnter(folder));
  if (open === undefined) throw new Error("there is no temporary folder that `nobody` may enter");
  return open;
}

/**
 * A program that this user can run. Where the checkout is closed to others (root's home, CI's
 * temporary folders), the program's folder (two levels up) is copied into `folder`.
 */
export function reachableProgram(path: string, folder: string, user: ProgramUser): string {
  if (!("uid" in user)) return path;
  const isOpen = canEnter(dirname(path)) && (statSync(path).mode & OTHERS_MAY_RUN) !== 0;
  if (isOpen) return path;
  const root = dirname(dirname(path));
  const copy = join(folder, "program");
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, relative(root, path));
}

function canEnter(folder: string): boolean {
  if ((statSync(folder).mode & OTHERS_MAY_ENTER) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canEnter(parent);
}
