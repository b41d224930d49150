/** Exit codes of the `parlance` command (docs: `parlance --help`). */
export const ExitCode = {
  ok: 0,
  /** What was checked or run failed. */
  failed: 1,
  usage: 2,
  badInput: 65,
  unavailable: 69,
  internal: 70,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * A failure that the command line reports and ends with.
 *
 * With `--json` it becomes one line on stderr, `{"error":{"code","message",…details}}`;
 * without, `parlance: [code] message`. Anything else that is thrown is our own fault (70).
 */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    exitCode: ExitCode,
    details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** Words of a command line that can't be meant: code `usage`, exit code 2. */
export function usageError(what: string): CliError {
  return new CliError("usage", `${what}. See --help.`, ExitCode.usage);
}

Object.defineProperty(CliError.prototype, "name", { value: "CliError" });
