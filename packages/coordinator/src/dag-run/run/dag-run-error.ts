/** Why a run was not started, or not changed. */
export type DagRunErrorCode =
  /** Another process, or this one, runs it at this moment. */
  | "run-locked"
  | "run-exists"
  /** A param is missing, a task is not known, …. */
  | "bad-request"
  /** A task needs more slots than its pool has. */
  | "pool-too-small"
  /** The runner was closed. */
  | "closed";

/** A run was not started, or not changed; the message says what to do. */
export class DagRunError extends Error {
  readonly code: DagRunErrorCode;

  constructor(code: DagRunErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(DagRunError.prototype, "name", { value: "DagRunError" });
