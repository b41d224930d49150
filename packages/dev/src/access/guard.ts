import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { isFromOwnPage, isOwnHost } from "./own-origin.ts";
import type { Sessions } from "./sessions.ts";

/** What the guard needs to know; the port and the sessions are there once the server listens. */
export interface GuardFacts {
  readonly port: () => number;
  readonly sessions: () => Sessions;
}

/**
 * Looks at each request before anything else does, the ones for what does not exist included.
 *
 * @throws ApiError `bad-request` for a target that is no path; `forbidden` for a foreign host or
 *   page; `unauthorized` without a session; `unsupported-media-type` for a POST that is not JSON
 */
export function guardRequest(request: FastifyRequest, facts: GuardFacts): void {
  const { method, originalUrl } = request;
  const { host, origin, cookie } = request.headers;
  if (!originalUrl.startsWith("/")) {
    throw new ApiError("bad-request", "The request's target has to be a path.");
  }
  if (!isOwnHost(host, facts.port())) {
    throw new ApiError("forbidden", "This server answers under its own address only.");
  }
  // A link to the page may stand anywhere; it shows nothing without a session or a token.
  const isEntry = method === "GET" && /^\/(?:\?|$)/.test(originalUrl);
  const fetchSite = oneOf(request.headers["sec-fetch-site"]);
  // Nothing below it changes anything: any method but GET is refused by Airflow's own 405.
  const meaning = isAirflowPath(originalUrl) ? "GET" : method;
  if (!isEntry && !isFromOwnPage({ method: meaning, host, origin, fetchSite })) {
    throw new ApiError("forbidden", "The request comes from another page.");
  }
  if (!isEntry && !facts.sessions().isOpen(cookie)) {
    throw new ApiError("unauthorized", "There is no session: open the address that was printed.");
  }
  if (meaning === "POST" && !isJson(request.headers["content-type"])) {
    throw new ApiError("unsupported-media-type", "Send application/json.");
  }
}

/** Whether this answer is one of Airflow's API, which says what is wrong in `detail`. */
export function isAirflowPath(url: string): boolean {
  return /^\/api\/v2(?:[/?]|$)/.test(url);
}

/** Sends an error in the form of the part of the server it is about. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  const body = isAirflowPath(request.originalUrl) ? airflowBody(error) : error.toAnswer();
  void reply.code(error.status).type("application/json; charset=utf-8").send(JSON.stringify(body));
}

function airflowBody({ code, message }: ApiError): { readonly detail: string } {
  if (code === "unauthorized") return { detail: "Not authenticated" };
  return { detail: code === "not-found" ? "Not Found" : message };
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType ?? "");
}

function oneOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
