/**
 * What went wrong between bytes and values.
 *
 * `cannot-encode`: a value that the serializer has no form for; `path` says where it sits.
 * `cannot-decode`: bytes that the serializer can't read, or a value of an unexpected shape.
 * `pickle-refused`: a legacy pickle that is more than plain data; `globalName` names what it asks
 * Python to import, where that is the reason.
 * `unknown-serializer`: a name that is none of `json`, `yaml`, `msgpack`.
 */
export type SerializerErrorCode =
  | "cannot-encode"
  | "cannot-decode"
  | "pickle-refused"
  | "unknown-serializer";

/** Facts that an error may carry besides its code. */
export interface SerializerErrorOptions extends ErrorOptions {
  /** JSON pointer to the culprit: `""` is the value itself, `/items/3` the fourth of its items. */
  readonly path?: string | undefined;
  /** For `pickle-refused`: module and name, such as `datetime.datetime`, control characters escaped. */
  readonly globalName?: string | undefined;
}

/** A value can't be written or bytes can't be read; see {@link SerializerErrorCode}. */
export class SerializerError extends Error {
  readonly code: SerializerErrorCode;
  /** JSON pointer to the culprit, where it is known. */
  readonly path: string | undefined;
  /** What a refused pickle wanted to import. */
  readonly globalName: string | undefined;

  constructor(code: SerializerErrorCode, message: string, options: SerializerErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.path = options.path;
    this.globalName = options.globalName;
  }
}

Object.defineProperty(SerializerError.prototype, "name", { value: "SerializerError" });
