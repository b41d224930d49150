/**
 * What went wrong with a result store.
 *
 * Opening: `missing-url`, `bad-url` (can't be read), `unknown-dialect` (no database of that name),
 * `unsupported-database` (Oracle, SQL Server), `driver-missing` (the npm package is not installed),
 * `bad-option`, `bad-table-name`, `database-unreachable` (no connection could be made),
 * `set-up-failed` (the tables could not be made), `tables-missing` (and were not to be made).
 * Operations: `store-failed`, `get-failed`, `operation-failed` (any other one), `pool-timeout` (no
 * connection became free), `group-exists`, `value-too-large`, `bad-value`, `bad-state`,
 * `stamp-name`, `timeout` (of a wait), `aborted` (by the caller's signal), `closed`.
 */
export type ResultsErrorCode =
  | "missing-url"
  | "bad-url"
  | "unknown-dialect"
  | "unsupported-database"
  | "driver-missing"
  | "bad-option"
  | "bad-table-name"
  | "database-unreachable"
  | "set-up-failed"
  | "tables-missing"
  | "store-failed"
  | "get-failed"
  | "operation-failed"
  | "pool-timeout"
  | "group-exists"
  | "value-too-large"
  | "bad-value"
  | "bad-state"
  | "stamp-name"
  | "timeout"
  | "aborted"
  | "closed";

/** Facts a caller may branch on; which of them are there depends on the code. */
export interface ResultsErrorFacts {
  /** The operation, as `store` or `get`. */
  readonly operation?: string;
  /** The task or group in question. */
  readonly id?: string;
  /** How often it was tried. */
  readonly attempts?: number;
  /** The npm command that helps, for `driver-missing`. */
  readonly command?: string;
  /** The setting or column in question. */
  readonly field?: string;
  /** Sizes in bytes, for `value-too-large`. */
  readonly sizeBytes?: number;
  readonly limitBytes?: number;
}

/** A result store that can't do what it was asked; see {@link ResultsErrorCode}. Never holds a secret. */
export class ResultsError extends Error {
  readonly code: ResultsErrorCode;
  readonly facts: ResultsErrorFacts;

  constructor(
    code: ResultsErrorCode,
    message: string,
    options: ErrorOptions & { readonly facts?: ResultsErrorFacts } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

Object.defineProperty(ResultsError.prototype, "name", { value: "ResultsError" });
