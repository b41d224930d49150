/** Codes of a {@link RegistrationError}. */
export type RegistrationErrorCode =
  | "bad-id"
  | "bad-handler"
  | "bad-option"
  | "duplicate-task"
  | "unknown-task"
  | "dependency-cycle"
  | "bad-bundle"
  | "already-serving";

/** A mistake in how tasks are registered or served. Nothing was changed by the failing call. */
export class RegistrationError extends Error {
  readonly code: RegistrationErrorCode;

  constructor(code: RegistrationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of a {@link NotFoundError}. */
export type NotFoundErrorCode =
  | "variable-not-found"
  | "connection-not-found"
  | "xcom-not-found"
  | "asset-not-found"
  | "dag-not-found";

/** What was asked for does not exist, or not for this task. */
export class NotFoundError extends Error {
  readonly code: NotFoundErrorCode;
  /** The Variable's key, the Connection's id, the XCom's key, the asset's name or URI, the Dag's id. */
  readonly key: string;

  constructor(code: NotFoundErrorCode, key: string, message: string) {
    super(message);
    this.code = code;
    this.key = key;
  }
}

/** Codes of a {@link SupervisorError}. */
export type SupervisorErrorCode =
  | "api-error"
  | "permission-denied"
  | "already-exists"
  | "refused"
  | "bad-answer";

/**
 * The supervisor answered with an error, or with something that is no answer to the request.
 *
 * - `api-error`: Airflow's API refused or was not reachable (`statusCode` null: no answer from it)
 * - `permission-denied`: this task may not read that Variable or Connection
 * - `already-exists`: the Dag has that run already
 * - `refused`: any other error the supervisor names, see `error`
 * - `bad-answer`: the answer was none that this request can have
 */
export class SupervisorError extends Error {
  readonly code: SupervisorErrorCode;
  /** Type of the request on the wire, for example `SetXCom`. */
  readonly request: string;
  /** The supervisor's own word, for example `API_SERVER_ERROR`. */
  readonly error: string | null;
  /** HTTP status of Airflow's API, when there was one. */
  readonly statusCode: number | null;
  /** Further fields that the supervisor sent. */
  readonly detail: unknown;

  constructor(
    code: SupervisorErrorCode,
    message: string,
    facts: {
      readonly request: string;
      readonly error?: string | null;
      readonly statusCode?: number | null;
      readonly detail?: unknown;
    },
  ) {
    super(message);
    this.code = code;
    this.request = facts.request;
    this.error = facts.error ?? null;
    this.statusCode = facts.statusCode ?? null;
    this.detail = facts.detail ?? null;
  }
}

/** Codes of an {@link InvalidRequestError}. */
export type InvalidRequestErrorCode = "invalid-request" | "invalid-value" | "newer-schema-needed";

/**
 * A call got something that cannot be sent. Nothing was sent: stock Airflow never answers a
 * request that it cannot read.
 *
 * - `invalid-request`: an argument has the wrong type
 * - `invalid-value`: an XCom value that JSON cannot hold
 * - `newer-schema-needed`: only bundles packed with a newer `--schema-version` can do that
 */
export class InvalidRequestError extends Error {
  readonly code: InvalidRequestErrorCode;
  /** JSON pointer to the offending part. */
  readonly path: string;

  constructor(code: InvalidRequestErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** Codes of a {@link TaskStoppedError}. */
export type TaskStoppedErrorCode =
  | "signal"
  | "link-lost"
  | "execution-timeout"
  | "nothing-left"
  | "exit-called"
  | "never-served";

/**
 * The task was ended from outside its handler; also the reason of its abort signal.
 *
 * - `signal`: SIGTERM or SIGINT; the handler has about 3 s to clean up
 * - `link-lost`: the supervisor has gone; the process ends within 5 s
 * - `execution-timeout`: the handler took longer than its `executionTimeoutMs`
 * - `nothing-left`: the handler waits, and nothing is left in the process that could wake it
 * - `exit-called`: the program called `process.exit`, which fails the task
 * - `never-served`: the program ended without calling `serve(bundle)`
 */
export class TaskStoppedError extends Error {
  readonly code: TaskStoppedErrorCode;

  constructor(code: TaskStoppedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

// Written out, since a minifier renames the classes.
for (const [name, errorClass] of Object.entries({
  RegistrationError,
  NotFoundError,
  SupervisorError,
  InvalidRequestError,
  TaskStoppedError,
})) {
  Object.defineProperty(errorClass.prototype, "name", { value: name });
}
