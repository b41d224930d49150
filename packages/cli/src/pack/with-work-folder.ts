import { tmpdir } from "node:os";
import { CliError, ExitCode } from "../errors.ts";
import { makeWorkFolder } from "../work-folder.ts";

/**
 * Does work that needs a folder for temporary files, and removes it.
 *
 * @throws CliError `cannot-write` (1) where the system refuses to write there; what `work` throws
 */
export async function withWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeWorkFolder("pack").catch((error: unknown) => {
    throw explained(error);
  });
  try {
    return await work(folder.path);
  } catch (error) {
    throw explained(error, folder.path);
  } finally {
    await folder.remove().catch(() => {}); // the next run removes it
  }
}

/** An error of the system about the folder for temporary files, in words; others as they are. */
function explained(error: unknown, folder: string = tmpdir()): unknown {
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (error instanceof CliError || typeof code !== "string") return error;
  const isOurs = [path, dest].some((name) => name?.startsWith(folder) ?? true);
  if (!isOurs) return error;
  const message = `Cannot write temporary files below ${tmpdir()}: ${(error as Error).message}. What was there is unchanged. TMPDIR names another folder.`;
  return new CliError(
    "cannot-write",
    message,
    ExitCode.failed,
    { path: tmpdir() },
    { cause: error },
  );
}
