import type { ResultsError, ResultsErrorCode } from "@parlance/results";
import { CliError, ExitCode } from "../../errors.ts";

/** What can't be used however the database is; the rest of the codes means that it could not serve. */
const EXIT_CODES: Readonly<Partial<Record<ResultsErrorCode, ExitCode>>> = {
  "missing-url": ExitCode.usage,
  "bad-url": ExitCode.usage,
  "unknown-dialect": ExitCode.usage,
  "unsupported-database": ExitCode.usage,
  "bad-option": ExitCode.usage,
  "bad-table-name": ExitCode.usage,
  "bad-state": ExitCode.usage,
  "stamp-name": ExitCode.usage,
  "bad-value": ExitCode.badInput,
  "value-too-large": ExitCode.badInput,
  "group-exists": ExitCode.failed,
  timeout: ExitCode.failed,
  closed: ExitCode.internal,
};

/**
 * What a store threw, as the command line reports it: its own code and facts, and 2, 65, 69 or 1 as
 * the exit code. What is not of the store is given back as it is.
 */
export function toCliError(error: unknown): unknown {
  if (isResultsError(error)) {
    const details = { ...error.facts, ...faultOf(error) };
    return new CliError(error.code, error.message, exitCodeOf(error), details, { cause: error });
  }
  if (isValueError(error)) {
    return new CliError(error.code, error.message, ExitCode.badInput, {}, { cause: error });
  }
  return error;
}

function exitCodeOf(error: ResultsError): ExitCode {
  const own = EXIT_CODES[error.code];
  if (own !== undefined) return own;
  return kindOf(error.cause) === "data" ? ExitCode.badInput : ExitCode.unavailable;
}

/** The driver's own code (a SQLSTATE, `SQLITE_BUSY`, `ECONNREFUSED`), for whoever looks it up. */
function faultOf({ cause }: ResultsError): { readonly driverCode?: string } {
  const { driverCode } = (cause ?? {}) as { readonly driverCode?: unknown };
  return typeof driverCode === "string" ? { driverCode } : {};
}

function kindOf(fault: unknown): unknown {
  return (fault as { readonly kind?: unknown } | undefined)?.kind;
}

/** By name, not by class: the package is loaded when a command runs, and not for its errors. */
function isResultsError(error: unknown): error is ResultsError {
  return error instanceof Error && error.name === "ResultsError";
}

/** A value that can't be encoded, or bytes that can't be decoded. */
function isValueError(error: unknown): error is Error & { readonly code: string } {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return error instanceof Error && error.name === "SerializerError" && typeof code === "string";
}
