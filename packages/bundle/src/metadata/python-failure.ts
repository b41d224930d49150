/**
 * The cause of an error about a value that PyYAML fails at with an exception of Python, no YAML
 * error: for `2026-13-45` it is a ValueError. Airflow 3.3 expects YAML errors alone, so that such a
 * value ends its whole search; 3.4 also expects ValueErrors.
 */
export class PythonFailure extends Error {
  /** `ValueError`, or another one. */
  readonly type: "ValueError" | "IndexError" | "KeyError" | "AttributeError" | "RecursionError";

  constructor(type: PythonFailure["type"]) {
    super(`Python raises ${type}.`);
    this.type = type;
  }
}

Object.defineProperty(PythonFailure.prototype, "name", { value: "PythonFailure" });
