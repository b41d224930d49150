/** Why a serialised Dag can't be run here. */
export type DagReadErrorCode =
  /** Not the shape of a serialised Dag. */
  | "bad-dag"
  /** A `__version` other than 1 to 3. */
  | "unknown-version"
  /** A task that only Python can run. */
  | "python-task"
  /** A trigger rule, or a kind of group, that is not known here. */
  | "unsupported"
  | "duplicate-task"
  | "unknown-task"
  | "cycle";

/** A serialised Dag can't be run here; the message says which part, and what to do. */
export class DagReadError extends Error {
  readonly code: DagReadErrorCode;
  /** Null where the document does not even have one. */
  readonly dagId: string | null;
  /** JSON pointer into the document. */
  readonly path: string;

  constructor(
    code: DagReadErrorCode,
    message: string,
    details: { readonly dagId: string | null; readonly path: string },
  ) {
    super(message);
    this.code = code;
    this.dagId = details.dagId;
    this.path = details.path;
  }
}

Object.defineProperty(DagReadError.prototype, "name", { value: "DagReadError" });
