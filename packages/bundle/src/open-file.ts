import { type BigIntStats, closeSync, constants, fstatSync, openSync } from "node:fs";
import { BundleError, reasonOf } from "./errors.ts";

/** An open regular file. Whoever opened it closes `fd`. */
export interface OpenFile {
  readonly fd: number;
  readonly size: number;
  readonly stats: BigIntStats;
}

/**
 * Opens a regular file for reading; never waits on a pipe.
 *
 * @throws BundleError `cannot-read`, or `not-a-file` for anything but a regular file
 */
export function openFile(path: string | Buffer): OpenFile {
  const shown = path.toString();
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw new BundleError("cannot-read", `Can't open ${shown}: ${reasonOf(cause)}.`, {
      cause,
      path: shown,
    });
  }
  const stats = fstatSync(fd, { bigint: true });
  if (!stats.isFile()) {
    closeSync(fd);
    throw new BundleError("not-a-file", `${shown} is no regular file.`, { path: shown });
  }
  return { fd, size: Number(stats.size), stats };
}

/** What changes when a file is replaced or written to. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** The part of a file's status that is worth keeping. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileIdentity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** Whether two identities stand for the same content. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.ino === other.ino &&
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.size === other.size &&
    one.dev === other.dev
  );
}
