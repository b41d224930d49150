import type { ErrorAnswer } from "../api/types.ts";

/** Why a request was refused: one of the words of {@link ErrorAnswer}. */
export type ApiErrorCode =
  | "bad-request"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "too-large"
  | "unsupported-media-type"
  | "too-many"
  | "unavailable"
  | "internal";

const STATUS: Readonly<Record<ApiErrorCode, number>> = {
  "bad-request": 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "too-large": 413,
  "unsupported-media-type": 415,
  "too-many": 429,
  unavailable: 503,
  internal: 500,
};

/** Thrown by a handler: an answer with this code and text. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;

  constructor(code: ApiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Of the HTTP answer. */
  get status(): number {
    return STATUS[this.code];
  }

  /** The answer's body. */
  toAnswer(): ErrorAnswer {
    return { error: { code: this.code, message: this.message } };
  }
}

Object.defineProperty(ApiError.prototype, "name", { value: "ApiError" });

/** What went wrong inside of Fastify, by its own codes; anything else is a fault of ours. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ApiErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["too-large", "The body is larger than 1 MiB."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported-media-type", "Send application/json."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["bad-request", "The body is empty; it has to be JSON."],
  FST_ERR_CTP_INVALID_JSON_BODY: ["bad-request", "The body is not JSON."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["bad-request", "The body is not as long as was said."],
  FST_ERR_BAD_URL: ["bad-request", "The path is no valid URL."],
};

/** Any error as one that may be shown: no stack, no path, no text of a fault that is ours. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = typeof code === "string" ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new ApiError(known[0], known[1], { cause: error });
  const isTheirs = typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
  if (isTheirs) return new ApiError("bad-request", "The request is not valid.", { cause: error });
  return new ApiError("internal", "The server failed; its terminal says why.", { cause: error });
}
