/**
 * Why a delay can't be had, and what stock Airflow 3.3.2 raises for the same input:
 *
 * | code                  | Airflow                  | when                                                                  |
 * | --------------------- | ------------------------ | --------------------------------------------------------------------- |
 * | `wrong-type`          | `TypeError`              | a value of a type that this place does not take                       |
 * | `not-a-number`        | `ValueError`             | NaN where a duration is needed; text that is no number                |
 * | `out-of-range`        | `OverflowError`          | a delay beyond 999,999,999 days, a date outside the years 1 to 9999, a whole number beyond a double |
 * | `missing-end-date`    | `TypeError`              | the failed attempt has no end date, and no explicit delay is set      |
 * | `lone-surrogate`      | `UnicodeEncodeError`     | half of a surrogate pair in the Dag or task id                        |
 * | `cannot-deserialize`  | `DeserializationError`   | a stored multiplier that no number can be made of                     |
 * | `naive-date`          | `ValueError`             | a date without a zone                                                 |
 * | `bad-date`            | `ValueError`             | a text that is no ISO 8601 date-time, or a `Date` that is invalid     |
 * | `bad-input`           | (ours)                   | an argument that can't be what it should be; the message says which   |
 */
export type RetryErrorCode =
  | "wrong-type"
  | "not-a-number"
  | "out-of-range"
  | "missing-end-date"
  | "lone-surrogate"
  | "cannot-deserialize"
  | "naive-date"
  | "bad-date"
  | "bad-input";

/** A delay that can't be calculated, or a value that can't be converted; see {@link RetryErrorCode}. */
export class RetryError extends Error {
  readonly code: RetryErrorCode;

  constructor(code: RetryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(RetryError.prototype, "name", { value: "RetryError" });

const MAX_SHOWN = 60;

/** A foreign value for a message: short, on one line, never throwing. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shorten(value));
  if (typeof value === "bigint") return shorten(String(value));
  if (typeof value === "function") return "a function";
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
