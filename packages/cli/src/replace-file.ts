import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, open, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CliError, ExitCode } from "./errors.ts";

/**
 * Writes a file whole: beside its place under another name, then renamed, so that nobody sees half
 * of it and a failure leaves the old one. What is there keeps its permissions and its owner; through
 * a link it is what the link leads to that is replaced. A file that may not be written is left alone.
 *
 * @param path - absolute
 * @throws CliError `cannot-write` (1)
 */
export async function replaceFile(path: string, bytes: Uint8Array | string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await targetOf(path);
    const old = await stat(target).catch(() => undefined);
    if (old !== undefined) {
      if (!old.isFile()) throw new Error("it is no regular file");
      await access(target, constants.W_OK); // a rename asks for the folder's permission alone
    }
    temporary = join(
      dirname(target),
      `.${basename(target).slice(0, 100)}.${randomBytes(6).toString("hex")}`,
    );
    const handle = await open(temporary, "wx", 0o666);
    try {
      if (old !== undefined) {
        const made = await handle.stat();
        if (made.uid !== old.uid || made.gid !== old.gid) await handle.chown(old.uid, old.gid);
        await handle.chmod(old.mode & 0o7777);
      }
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    if (temporary !== undefined) await unlink(temporary).catch(() => {});
    const why = (cause as Error).message;
    const text = `Cannot write ${path}: ${why}. What was there is unchanged.`;
    throw new CliError("cannot-write", text, ExitCode.failed, { file: path }, { cause });
  }
}

async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const link = await lstat(path).catch(() => undefined);
    if (link?.isSymbolicLink() === true) throw new Error("it is a link that leads nowhere");
    return path; // a new file
  }
}
