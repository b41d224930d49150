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

/** What changes when a file is replaced or written to; equal text means the same content. */
export function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}
