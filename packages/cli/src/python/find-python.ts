import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";

const CANDIDATES = ["python3", "python"];
const PROBE = "import sys; print(*sys.version_info[:2])";
/** Isolated: nothing of the user's environment or of the current folder is imported. */
export const PYTHON_FLAGS: readonly string[] = ["-I", "-S", "-B"];

/**
 * A Python 3.8 or newer.
 *
 * @param command - the one to use; one of PATH when absent
 * @throws CliError `python-missing` (69); an AbortError when interrupted
 */
export async function findPython(command: string | undefined, io: CommandIo): Promise<string> {
  const seen: string[] = [];
  for (const candidate of command === undefined ? CANDIDATES : [command]) {
    const options = { env: io.env, cwd: io.cwd, signal: io.signal };
    try {
      const { stdout } = await promisify(execFile)(
        candidate,
        [...PYTHON_FLAGS, "-c", PROBE],
        options,
      );
      const [major = 0, minor = 0] = stdout.trim().split(" ").map(Number);
      if (major === 3 && minor >= 8) return candidate;
      seen.push(`${candidate} is ${stdout.trim().replace(" ", ".")}`);
    } catch (error) {
      if (io.signal.aborted) throw error;
      const { code } = error as NodeJS.ErrnoException;
      seen.push(`${candidate} ${code === "ENOENT" ? "is not there" : "does not run"}`);
    }
  }
  const message =
    `There is no Python 3.8 or newer (${seen.join("; ")}). Install Python 3 and have python3 on ` +
    "PATH, or name one with --python: its own parser reads the files.";
  throw new CliError("python-missing", message, ExitCode.unavailable);
}
