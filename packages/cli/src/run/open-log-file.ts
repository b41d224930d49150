import { resolve } from "node:path";
import { type LogFile, LogFileError, openLogFile } from "@parlance/coordinator";
import { CliError, ExitCode } from "../errors.ts";
import type { CommandIo } from "../io.ts";
import { warn } from "../warn.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * Opens the file of `--log-file`. A record that can't be written later is told once, on stderr, and
 * costs no task anything.
 *
 * @throws CliError 65 `cannot-open`
 */
export async function openRunLog(
  { logFile, logFormat, json }: RunOptions,
  io: CommandIo,
): Promise<LogFile | undefined> {
  if (logFile === undefined) return undefined;
  const path = resolve(io.cwd, logFile);
  try {
    return await openLogFile(path, {
      format: logFormat,
      cwd: io.cwd,
      onError: ({ code, message }) => void warn(io, json, code, message),
    });
  } catch (error) {
    if (!(error instanceof LogFileError)) throw error;
    const message = error.message.replace("openLogFile", "--log-file");
    throw new CliError(error.code, message, ExitCode.badInput, { path }, { cause: error });
  }
}
