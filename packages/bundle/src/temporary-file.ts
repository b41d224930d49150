import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** Of a writer that can't be asked, on another machine or in another container. */
const MAX_FOREIGN_AGE_MS = 24 * 60 * 60 * 1000;
/** `.parlance-PLACE-PID-START-RANDOM.tmp` */
const NAME = /^\.parlance-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{16}\.tmp$/;

/** A new file beside the one that it is to replace. */
export interface TemporaryFile {
  readonly fd: number;
  readonly path: string;
}

/**
 * Makes an empty file in a folder, and removes what writers left there that were killed: files of
 * such a name whose process has ended, and those from elsewhere that nobody wrote to for a day.
 *
 * @throws what the system says
 */
export function createTemporaryFile(folder: string, mode: number): TemporaryFile {
  removeLeftovers(folder);
  const name = [placeOfProcesses(), process.pid, startOf(process.pid) ?? 0, randomHex(8)].join("-");
  const path = join(folder, `.parlance-${name}.tmp`);
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  return { fd: openSync(path, O_CREAT | O_EXCL | O_WRONLY, mode), path };
}

/** Closes and removes it; what is gone already, or was renamed, is no matter. */
export function discardTemporaryFile({ fd, path }: TemporaryFile): void {
  closeSync(fd);
  removeQuietly(path);
}

/** Never throws: what can't be removed stays. */
function removeLeftovers(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return; // the writer will say what is wrong with it
  }
  for (const name of names) {
    const [, place, pid, start] = NAME.exec(name) ?? [];
    if (place === undefined) continue;
    const path = join(folder, name);
    const isLeft =
      place === placeOfProcesses()
        ? hasEnded(Number(pid), Number(start))
        : isOlderThan(path, MAX_FOREIGN_AGE_MS);
    if (isLeft) removeQuietly(path);
  }
}

function isOlderThan(path: string, ageMs: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ageMs;
}

/** A number that another process has by now is told by the time of its start. */
function hasEnded(pid: number, start: number): boolean {
  if (pid === process.pid) return start !== (startOf(pid) ?? 0);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const found = startOf(pid);
  return found !== undefined && found !== start;
}

/** In ticks since the machine's start; undefined where the system does not tell, or the process is gone. */
function startOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the name, in brackets, may hold anything; the start is the 22nd field, the 20th behind it
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[19]);
  } catch {
    return undefined;
  }
}

let place: string | undefined;

/** Where a process number means something: this machine since its start, in this container. */
function placeOfProcesses(): string {
  place ??= createHash("sha256")
    .update([hostname(), bootId(), processNamespace()].join("\n"))
    .digest("hex")
    .slice(0, 8);
  return place;
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
  } catch {
    return "";
  }
}

function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // gone, or not ours to remove
  }
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
