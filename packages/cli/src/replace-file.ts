import { constants } from "node:fs";
import { access, lstat, realpath, stat } from "node:fs/promises";
import { CliError, ExitCode } from "./errors.ts";

/**
 * Writes a file whole, so that nobody sees half of it and a failure leaves the old one: see
 * `replaceFile` of @parlance/bundle. What is there keeps its permissions and its owner; through a
 * link it is what the link leads to that is replaced. A file that may not be written is left alone.
 *
 * @param path - absolute
 * @throws CliError `cannot-write` (1)
 */
export async function replaceFile(path: string, bytes: Uint8Array | string): Promise<void> {
  const { replaceFile: replace } = await import("@parlance/bundle");
  try {
    const out = await targetOf(path);
    await replace({ out }, (put) => put(typeof bytes === "string" ? Buffer.from(bytes) : bytes));
  } catch (error) {
    // the system's own word, not that of the bundle's writer, who does not name what was asked for
    const cause = (error as Error).cause ?? error;
    const text = `Cannot write ${path}: ${(cause as Error).message}. What was there is unchanged.`;
    throw new CliError("cannot-write", text, ExitCode.failed, { file: path }, { cause });
  }
}

async function targetOf(path: string): Promise<string> {
  let target: string;
  try {
    target = await realpath(path);
  } catch {
    const link = await lstat(path).catch(() => undefined);
    if (link?.isSymbolicLink() === true) throw new Error("it is a link that leads nowhere");
    return path; // a new file
  }
  if (!(await stat(target)).isFile()) throw new Error("it is no regular file");
  await access(target, constants.W_OK); // a rename asks for the folder's permission alone
  return target;
}
