import {
  RequestTimeoutError,
  type ResponseFrame,
  type TaskChannel,
  type WireMap,
} from "@parlance/framing";
import {
  InvalidRequestError,
  NotFoundError,
  type NotFoundErrorCode,
  SupervisorError,
  type SupervisorErrorCode,
} from "../errors.ts";
import { SlowRequests } from "./slow-requests.ts";

/** A message's validator: its faults, none when the body may be sent. */
export type Validate = (
  body: unknown,
) => readonly { readonly path: string; readonly message: string }[];

/** What each request carries, and who hears of slow ones. */
export interface RequesterOptions {
  /** Tracing headers that every request carries. */
  readonly carrier: { readonly [key: string]: string } | null;
  /** Called when an answer is late: after 30 s and then once a minute. */
  readonly onSlow: (request: string, waitedSeconds: number) => void;
}

/** Options of one request. */
export interface SendOptions {
  readonly timeoutMs?: number | undefined;
}

const FIRST_NOTICE_MS = 30_000;
const NEXT_NOTICE_MS = 60_000;

const NOT_FOUND: ReadonlyMap<string, NotFoundErrorCode> = new Map([
  ["VARIABLE_NOT_FOUND", "variable-not-found"],
  ["CONNECTION_NOT_FOUND", "connection-not-found"],
  ["XCOM_NOT_FOUND", "xcom-not-found"],
  ["ASSET_NOT_FOUND", "asset-not-found"],
]);

const KINDS: ReadonlyMap<string, SupervisorErrorCode> = new Map([
  ["API_SERVER_ERROR", "api-error"],
  ["PERMISSION_DENIED", "permission-denied"],
  ["DAGRUN_ALREADY_EXISTS", "already-exists"],
]);

/**
 * Sends requests that were checked before, and turns the two kinds of error answers into errors:
 * stock answers a failed look-up in the frame's body and a failed API call in its error slot.
 */
export class Requester {
  readonly #channel: TaskChannel;
  readonly #options: RequesterOptions;
  readonly #slowRequests: SlowRequests;

  constructor(channel: TaskChannel, options: RequesterOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#slowRequests = new SlowRequests({
      firstNoticeMs: FIRST_NOTICE_MS,
      nextNoticeMs: NEXT_NOTICE_MS,
      onSlow: options.onSlow,
    });
  }

  /**
   * @param body - the message with its `type`
   * @returns the answer's body; null is the empty answer
   * @throws InvalidRequestError, NotFoundError, SupervisorError, RequestTimeoutError,
   * ChannelClosedError
   */
  async send(
    body: { readonly type: string; readonly [field: string]: unknown },
    validate: Validate,
    options: SendOptions = {},
  ): Promise<WireMap | null> {
    demandValid(body, validate);
    const waiting = this.#slowRequests.add(body.type);
    let answer: ResponseFrame;
    try {
      answer = await this.#channel.request(body, {
        carrier: this.#options.carrier,
        timeoutMs: options.timeoutMs,
      });
    } catch (error) {
      throw error instanceof RequestTimeoutError ? lateAnswer(body.type, error) : error;
    } finally {
      this.#slowRequests.delete(waiting);
    }
    if (answer.error !== null) throw answeredError(body.type, answer.error);
    if (answer.body?.["type"] === "ErrorResponse") throw answeredError(body.type, answer.body);
    return answer.body;
  }

  /** As {@link send}, for a request with an answer of this type. */
  async ask(
    body: { readonly type: string; readonly [field: string]: unknown },
    validate: Validate,
    answerType: string,
  ): Promise<WireMap> {
    const answer = await this.send(body, validate);
    if (answer !== null && answer["type"] === answerType) return answer;
    const got = answer === null ? "an empty answer" : `an answer of type ${String(answer["type"])}`;
    throw badAnswer(body.type, `${got}, expected ${answerType}`);
  }
}

function demandValid(body: { readonly type: string }, validate: Validate): void {
  const [fault] = validate(body);
  if (fault === undefined) return;
  const message = `${body.type} was not sent: ${fault.path} ${fault.message}`;
  throw new InvalidRequestError("invalid-request", fault.path, message);
}

/** An answer that is none: a peer that does not keep to the schema. */
export function badAnswer(request: string, what: string): SupervisorError {
  return new SupervisorError("bad-answer", `${request} got ${what}`, { request });
}

/** The same error in words that say what was asked for. */
function lateAnswer(request: string, { timeoutMs }: RequestTimeoutError): RequestTimeoutError {
  const message = `${request} got no answer within ${timeoutMs / 1000} s (requestTimeoutMs of serve)`;
  return new RequestTimeoutError(message, timeoutMs);
}

function answeredError(request: string, answer: WireMap): Error {
  const error = typeof answer["error"] === "string" ? answer["error"] : "GENERIC_ERROR";
  const detail = answer["detail"];
  const facts = typeof detail === "object" && detail !== null ? (detail as WireMap) : {};
  const code = NOT_FOUND.get(error);
  if (code !== undefined) {
    const { key: ownKey, conn_id, name, uri } = facts;
    const key = String(ownKey ?? conn_id ?? name ?? uri ?? "");
    const what = error.split("_")[0]?.toLowerCase();
    return new NotFoundError(code, key, `${request}: there is no ${what} ${JSON.stringify(key)}`);
  }
  const status = facts["status_code"];
  const statusCode = typeof status === "number" ? status : null;
  const text = [facts["message"], facts["exception_type"], readable(facts["detail"])]
    .filter((part) => part !== undefined && part !== null && part !== "")
    .join("; ");
  const number = statusCode === null ? "" : ` ${statusCode}`;
  const message = `${request} was answered with ${error}${number}${text === "" ? "" : `: ${text}`}`;
  const kind = KINDS.get(error) ?? "refused";
  return new SupervisorError(kind, message, { request, error, statusCode, detail });
}

function readable(detail: unknown): string | undefined {
  if (detail === undefined || detail === null) return undefined;
  if (typeof detail === "string") return detail;
  try {
    return JSON.stringify(detail);
  } catch {
    return undefined; // an integer beyond 2^53 in it; the error keeps the detail itself
  }
}
