import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  openSync,
  renameSync,
  unlinkSync,
  write,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { BundleError, reasonOf } from "./errors.ts";

const fsyncAsync = promisify(fsync);

/** Writes bytes to an open file at its current place; resolves to how many were taken. */
export type WriteBytes = (fd: number, bytes: Uint8Array) => Promise<number>;

/** Appends bytes to the new file. */
export type Put = (bytes: Uint8Array) => Promise<void>;

/** @see replaceFile */
export interface ReplaceOptions {
  /** The file to replace or to make; no link. */
  readonly out: string;
  /** Permission bits of the finished file. */
  readonly mode: number;
  /** Aborting stops before the replacement. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the system's own call. */
  readonly writeBytes?: WriteBytes | undefined;
}

/**
 * Lets `fill` write a new file (mode 0600 meanwhile) in the target's folder, which replaces the
 * target in one step when it is complete and on the disk. On any failure the old target stays as it
 * was and the new file is gone.
 *
 * @returns what `fill` gave
 * @throws BundleError `cannot-write`; the signal's reason; the BundleErrors of `fill`
 */
export async function replaceFile<T>(
  { out, mode, signal, writeBytes = writeSome }: ReplaceOptions,
  fill: (put: Put) => Promise<T>,
): Promise<T> {
  const temporary = createTemporary(out);
  try {
    const result = await fill(writer(temporary.fd, writeBytes, signal));
    fchmodSync(temporary.fd, mode);
    await fsyncAsync(temporary.fd);
    signal?.throwIfAborted();
    renameSync(temporary.path, out);
    await syncFolder(dirname(out));
    return result;
  } catch (error) {
    removeQuietly(temporary.path);
    throw cannotWrite(error, out, signal);
  } finally {
    closeSync(temporary.fd);
  }
}

function createTemporary(out: string): { readonly fd: number; readonly path: string } {
  const path = join(dirname(out), `.parlance-${randomBytes(8).toString("hex")}.tmp`);
  const { O_CREAT, O_EXCL, O_WRONLY } = constants;
  try {
    return { fd: openSync(path, O_CREAT | O_EXCL | O_WRONLY, 0o600), path };
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

/** A rename is only on the disk when its folder is. Some file systems can't sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch {
    // the bundle is in place all the same
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // renamed already, or the folder is gone: the first error is the one to tell
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
