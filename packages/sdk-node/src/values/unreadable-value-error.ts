/**
 * A value is wrapped as one of Python's, but is none: Python could not read it either. With
 * `raw: true` it is read as it is stored.
 */
export class UnreadableValueError extends Error {
  readonly code: "unreadable-value" = "unreadable-value";
  /** JSON pointer to it in the whole value. */
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

Object.defineProperty(UnreadableValueError.prototype, "name", { value: "UnreadableValueError" });
