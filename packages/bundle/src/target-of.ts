import { lstatSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BundleError } from "./errors.ts";
import { cannotWrite } from "./replace-file.ts";

/** What tells a file from others, as `stat` gives it with `bigint: true`. */
interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * The file to replace: `given` itself, or what it links to.
 *
 * @param input - the file that the bundle is made of, which it must not replace
 * @throws BundleError `is-directory`, `not-a-file`, `same-file`, `cannot-write`
 */
export function targetOf(given: string, input?: FileIdentity): string {
  try {
    return resolveTarget(given, input);
  } catch (error) {
    throw cannotWrite(error, resolve(given));
  }
}

function resolveTarget(given: string, input: FileIdentity | undefined): string {
  let out = resolve(given);
  for (let links = 0; links < 40 && isLink(out); links++) {
    out = resolve(dirname(out), readlinkSync(out));
  }
  const existing = statSync(out, { bigint: true, throwIfNoEntry: false });
  if (existing?.isDirectory() || /[/\\]$/.test(given)) {
    throw new BundleError("is-directory", `${given} is a folder; name the file to write.`, {
      path: given,
    });
  }
  // What may write anywhere, as root, would else put the bundle in the place of /dev/null.
  if (existing?.isFile() === false) {
    throw new BundleError(
      "not-a-file",
      `${given} is a device, a pipe or a socket; name the file to write.`,
      { path: given },
    );
  }
  if (existing !== undefined && existing.dev === input?.dev && existing.ino === input.ino) {
    throw new BundleError(
      "same-file",
      `${given} is the executable itself; write the bundle to another file.`,
      { path: given },
    );
  }
  return out;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
