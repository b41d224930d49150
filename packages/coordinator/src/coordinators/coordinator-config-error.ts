/** Why a configuration can't be used. */
export type CoordinatorConfigErrorCode =
  | "bad-config"
  | "unknown-class"
  | "unknown-coordinator"
  | "unmapped-queue";

/**
 * A configuration can't be used. Codes: `bad-config` (not the shape Airflow reads), `unknown-class`
 * (`entry` is the coordinator), `unknown-coordinator` (a queue names one that is not there),
 * `unmapped-queue` (Airflow would run its Python there).
 */
export class CoordinatorConfigError extends Error {
  readonly code: CoordinatorConfigErrorCode;
  readonly entry: string | undefined;

  constructor(code: CoordinatorConfigErrorCode, message: string, entry?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.entry = entry;
  }
}

Object.defineProperty(CoordinatorConfigError.prototype, "name", {
  value: "CoordinatorConfigError",
});

/** The error for what has not the shape that Airflow reads. */
export function badConfig(
  message: string,
  entry?: string,
  cause?: unknown,
): CoordinatorConfigError {
  return new CoordinatorConfigError("bad-config", message, entry, cause);
}
