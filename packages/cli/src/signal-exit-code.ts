import { ExitCode } from "./errors.ts";
import type { CommandIo } from "./io.ts";

/** What a shell reports for a process that ended by this signal. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The exit code of a command that ends early because it was interrupted. */
export function signalExitCode({ signal }: CommandIo): number {
  return EXIT_CODES[String(signal.reason)] ?? ExitCode.failed;
}
