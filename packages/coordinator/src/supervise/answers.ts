/** What goes back for one request: a body, an error, or neither (an empty answer). */
export interface Answer {
  readonly body?: Body | null;
  readonly error?: Body | null;
  /** Airflow could not make sense of the request, and would leave it without an answer. */
  readonly invalid?: true;
}

/** A message in wire form. */
export interface Body {
  readonly [key: string]: unknown;
}

/** The answer without content: `[id, null, null]`. */
export const EMPTY: Answer = {};

/** The answer of deletions and state writes. */
export const OK: Answer = { body: { ok: true, type: "OKResponse" } };

/** An answer in the body slot. */
export function answer(type: string, fields: Body): Answer {
  return { body: { ...fields, type } };
}

/** What a look-up found nothing for, and a run that is there already: in the body slot, as in Airflow. */
export function notFound(
  error:
    | "CONNECTION_NOT_FOUND"
    | "VARIABLE_NOT_FOUND"
    | "XCOM_NOT_FOUND"
    | "ASSET_NOT_FOUND"
    | "TASK_STORE_NOT_FOUND"
    | "ASSET_STORE_NOT_FOUND"
    | "DAGRUN_ALREADY_EXISTS",
  detail: Body | null,
): Answer {
  return { body: { error, detail, type: "ErrorResponse" } };
}

/**
 * A request that could not be carried out: in the error slot, with the shape of Airflow's API errors.
 * `detail` says more, in whatever form helps.
 */
export function apiError(statusCode: number, message: string, detail?: unknown): Answer {
  return {
    error: {
      error: "API_SERVER_ERROR",
      detail: { status_code: statusCode, message, ...(detail !== undefined && { detail }) },
      type: "ErrorResponse",
    },
  };
}

/** What stock's client of the API says before it asks. */
export function clientError(exceptionType: string, message: string): Answer {
  return {
    error: {
      error: "API_SERVER_ERROR",
      detail: { status_code: null, message, exception_type: exceptionType },
      type: "ErrorResponse",
    },
  };
}

/** What that client says to an empty name or URI of an asset. */
export const NO_ASSET_NAMED: Answer = clientError(
  "ValueError",
  "Either `name` or `uri` must be provided",
);

/** What the API's own validation says, in its own words, which some requests pass on. */
export function apiInvalid(fault: Body): Answer {
  return apiError(422, "Remote server returned validation error", { detail: [fault] });
}

/** A text that may not be empty, and is. */
export function apiTooShort(...place: readonly string[]): Answer {
  return apiInvalid({
    type: "string_too_short",
    loc: place,
    msg: "String should have at least 1 character",
    input: "",
    ctx: { min_length: 1 },
  });
}

/** A body that no schema takes, or that is out of place: {@link apiError} 422. */
export function invalidRequest(message: string, detail?: unknown): Answer {
  return { ...apiError(422, message, detail), invalid: true };
}

/** A request about another task instance than the one that asks. */
export function notOwn(type: unknown, asked: unknown, own: string): Answer {
  return apiError(
    403,
    `${String(type)}: ti_id ${String(asked)} is another task instance; this one is ${own}`,
  );
}

/** The API's own "no such thing", which some requests pass on in the error slot. */
export function apiNotFound(what: string): Answer {
  return apiError(404, "Server returned error", {
    detail: { reason: "not_found", message: what },
  });
}
