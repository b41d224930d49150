import { mkdtemp, readdir, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `parlance-run-PID-SCOPE-XXXXXX`; the scope is that of the number, see {@link processScope}. */
const NAME = /^parlance-(?:run|pack|dev)-(\d+)-(\d+)-\w+$/;

/** A folder of this process alone, to be removed by who asked for it. */
export interface WorkFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a folder for temporary files, and removes those that killed processes of ours have left.
 *
 * @param kind - goes into its name
 */
export async function makeWorkFolder(kind: "run" | "pack" | "dev"): Promise<WorkFolder> {
  const scope = await processScope();
  await removeAbandoned(scope).catch(() => {}); // whatever is there, ours can be made
  const path = await mkdtemp(join(tmpdir(), `parlance-${kind}-${process.pid}-${scope}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function removeAbandoned(scope: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, itsScope] = NAME.exec(name) ?? [];
    if (pid === undefined || itsScope !== scope || (await isRunning(Number(pid)))) continue;
    const path = join(tmpdir(), name);
    const { uid } = await stat(path);
    if (uid === (process.getuid?.() ?? uid)) await rm(path, { recursive: true, force: true });
  }
}

/** Containers that share a folder for temporary files number their processes each for itself. */
async function processScope(): Promise<string> {
  const link = await readlink("/proc/self/ns/pid").catch(() => "");
  return /\d+/.exec(link)?.[0] ?? "0";
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // Where nobody reaps orphans, as in many containers, a dead process keeps its number.
  const status = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  return !/\) [ZX] [^)]*$/.test(status);
}
