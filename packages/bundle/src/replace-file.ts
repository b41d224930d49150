import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  write,
} from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { BundleError, reasonOf } from "./errors.ts";
import { createTemporaryFile, discardTemporaryFile, type TemporaryFile } from "./temporary-file.ts";

const fsyncAsync = promisify(fsync);

/** Writes bytes to an open file at its current place; resolves to how many were taken. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => Promise<number>;

/** Appends bytes to the new file. */
export type Put = (bytes: Uint8Array) => Promise<void>;

/** Waits until what was put so far is on the disk. */
export type Sync = () => Promise<void>;

/** What to replace, and how; see {@link replaceFile}. */
export interface ReplaceOptions {
  /** The file to replace or to make; a link would itself be replaced. */
  readonly out: string;
  /** Permission bits of the finished file; default those of the old file, with its owner, else 0666 less the umask. */
  readonly mode?: number | undefined;
  /** Aborting stops before the replacement. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's own call. */
  readonly writeBytes?: WriteBytes | undefined;
}

/**
 * Lets `fill` write a new file in the target's folder, which replaces the target in one step when
 * it is complete and on the disk. On any failure the old target stays as it was and the new file is
 * gone; one that a killed process left in the folder is removed by the next call there. Of two that
 * write at once, the last one wins.
 *
 * @returns what `fill` gave
 * @throws BundleError `cannot-write`; the signal's reason; the BundleErrors of `fill`
 */
export async function replaceFile<T>(
  { out, mode, signal, writeBytes = writeSome }: ReplaceOptions,
  fill: (put: Put, sync: Sync) => Promise<T>,
): Promise<T> {
  const old = mode === undefined ? statSync(out, { throwIfNoEntry: false }) : undefined;
  // Nobody else looks at half a file, where it is known what the whole one may show to whom.
  const isOpen = mode === undefined && old === undefined;
  const temporary = create(out, isOpen ? 0o666 : 0o600);
  let result: T;
  try {
    const sync = (): Promise<void> => fsyncAsync(temporary.fd);
    result = await fill(writer(temporary.fd, writeBytes, signal), sync);
    if (old !== undefined) keepOwner(temporary.fd, old);
    if (!isOpen) fchmodSync(temporary.fd, mode ?? (old?.mode ?? 0) & 0o7777);
    await sync();
    signal?.throwIfAborted();
    renameSync(temporary.path, out);
  } catch (error) {
    discardTemporaryFile(temporary);
    throw cannotWrite(error, out, signal);
  }
  closeSync(temporary.fd);
  await syncFolder(dirname(out));
  return result;
}

function create(out: string, mode: number): TemporaryFile {
  try {
    return createTemporaryFile(dirname(out), mode);
  } catch (error) {
    throw cannotWrite(error, out);
  }
}

const writeAsync = promisify(write);
const writeSome: WriteBytes = async (fd, bytes) =>
  (await writeAsync(fd, bytes, 0, bytes.length, null)).bytesWritten;

function writer(fd: number, writeBytes: WriteBytes, signal: AbortSignal | undefined): Put {
  return async (bytes) => {
    for (let rest = bytes; rest.length > 0; ) {
      signal?.throwIfAborted();
      rest = rest.subarray(await writeBytes(fd, rest));
    }
  };
}

/** @throws when it is somebody else's and this process may not give files away */
function keepOwner(fd: number, old: Stats): void {
  const made = fstatSync(fd);
  if (made.uid !== old.uid || made.gid !== old.gid) fchownSync(fd, old.uid, old.gid);
}

/** A rename is only on the disk when its folder is. Some file systems can't sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch {
    // the file is in place all the same
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** What the system says about writing `out`, as a BundleError; that, and an abort, stay as they are. */
export function cannotWrite(error: unknown, out: string, signal?: AbortSignal): unknown {
  if (error instanceof BundleError || signal?.aborted === true) return error;
  return new BundleError(
    "cannot-write",
    `Can't write ${basename(out)} in ${dirname(out)}: ${reasonOf(error)}. What was there is unchanged.`,
    { cause: error, path: out },
  );
}
