import { BundleError, type BundleErrorCode } from "@parlance/bundle";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";

const EXIT_CODES: { readonly [Code in BundleErrorCode]?: ExitCode } = {
  "same-file": ExitCode.usage,
  "is-directory": ExitCode.usage,
  "cannot-write": ExitCode.failed,
};

/** Runs work on bundles and turns its errors into ones the command line reports. */
export async function withBundleErrors<T>(io: CommandIo, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BundleError) {
      const { code, message, path } = error;
      const details = path === undefined ? {} : { path };
      const exitCode = EXIT_CODES[code] ?? ExitCode.badInput;
      throw new CliError(code, message, exitCode, details, { cause: error });
    }
    if (io.signal.aborted) {
      throw new CliError("interrupted", "Interrupted; nothing was written.", ExitCode.failed);
    }
    throw error;
  }
}
