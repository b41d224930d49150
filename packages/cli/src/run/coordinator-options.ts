import type { SubprocessCoordinatorOptions } from "@parlance/coordinator";
import type { CommandIo } from "../io.ts";
import type { RunOptions } from "./run-options.ts";

/** Nothing is cut, as far as the text of a line fits well into one string. */
const MAX_LOG_LINE_BYTES = 256 * 1024 * 1024;

/** How `parlance run` starts tasks. */
export function coordinatorOptions(
  options: RunOptions,
  io: CommandIo,
): SubprocessCoordinatorOptions {
  return {
    headVersion: options.headVersion,
    startupTimeoutMs: options.inspectBrk ? 24 * 3_600_000 : options.startupTimeoutMs,
    inheritEnv: options.inheritEnv,
    sourceEnv: io.env,
    env: options.inspectBrk
      ? { NODE_OPTIONS: `${io.env["NODE_OPTIONS"] ?? ""} --inspect-brk`.trim() }
      : {},
    logLevel: options.logLevel,
    namespaceLevels: options.namespaceLevels,
    maxLogLineBytes: MAX_LOG_LINE_BYTES,
    logSinkTimeoutMs: Infinity, // a person may take their time to read on; a second Ctrl-C ends that
    strictAirflow: options.strictAirflow,
  };
}
