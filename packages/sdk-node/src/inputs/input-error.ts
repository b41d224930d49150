/** Codes of an {@link InputError}. */
export type InputErrorCode =
  | "input-missing"
  | "input-mismatch"
  | "input-rejected"
  | "input-unsupported";

/**
 * An input of the task is not there, or not what it must be. The handler was not called.
 *
 * - `input-missing`: the task that it comes from stored nothing, or `conf` has no such key
 * - `input-mismatch`: the value is not of the type that the parameter has in Python
 * - `input-rejected`: the input's own `parse` threw, see `cause`
 * - `input-unsupported`: Airflow binds it in a way that this version does not know
 */
export class InputError extends Error {
  readonly code: InputErrorCode;
  /** Name of the input in the program. */
  readonly input: string;

  constructor(code: InputErrorCode, input: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.input = input;
  }
}

Object.defineProperty(InputError.prototype, "name", { value: "InputError" });
