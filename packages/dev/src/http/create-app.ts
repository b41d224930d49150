import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { guardRequest, isAirflowPath, sendError } from "../access/guard.ts";
import type { OneTimeToken } from "../access/one-time-token.ts";
import { SECURITY_HEADERS } from "../access/security-headers.ts";
import type { Sessions } from "../access/sessions.ts";
import type { DevBackend } from "../backend/dev-backend.ts";
import type { EventStreams } from "../events/event-streams.ts";
import { actionRoutes } from "../routes/action-routes.ts";
import { airflowRoutes } from "../routes/airflow-routes.ts";
import { attemptRoutes } from "../routes/attempt-routes.ts";
import { eventRoute } from "../routes/event-route.ts";
import { pageRoutes } from "../routes/page-routes.ts";
import { projectRoutes } from "../routes/project-routes.ts";
import { runRoutes } from "../routes/run-routes.ts";
import type { PageFiles } from "../static/page-files.ts";
import { ApiError, toApiError } from "./api-error.ts";
import { LIMITS } from "./limits.ts";
import { addRoutes } from "./route-table.ts";

/** What the server is made of. */
export interface AppParts {
  readonly backend: DevBackend;
  readonly events: EventStreams;
  readonly page: PageFiles;
  readonly token: OneTimeToken;
  readonly sessions: () => Sessions;
  readonly port: () => number;
  /** Told of faults of the server itself; the client learns nothing of them. */
  readonly onFault: (error: unknown) => void;
}

/** The server without its socket: every answer has the headers, every request passes the guard. */
export function createApp(parts: AppParts): FastifyInstance {
  const app = Fastify({
    bodyLimit: LIMITS.bodyBytes,
    connectionTimeout: LIMITS.idleMs,
    keepAliveTimeout: LIMITS.keepAliveMs,
    requestTimeout: LIMITS.requestMs,
    http: {
      maxHeaderSize: LIMITS.headerBytes,
      headersTimeout: LIMITS.headersMs,
      connectionsCheckingInterval: LIMITS.checkMs,
    },
    routerOptions: { maxParamLength: LIMITS.paramCharacters },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    // Airflow's paths are read by the task resource, byte by byte: the router must not decode them.
    rewriteUrl: ({ url = "/" }) => (isAirflowPath(url) ? "/api/v2/" : url),
    frameworkErrors: (error, request, reply) => {
      setHeaders(reply as unknown as FastifyReply);
      sendError(request as never, reply as never, toApiError(error));
    },
  });
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", (request, reply, done) => {
    setHeaders(reply);
    try {
      guardRequest(request, parts);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error);
    if (known.code === "internal") parts.onFault(error);
    sendError(request, reply, known);
  });
  app.setNotFoundHandler(() => {
    throw new ApiError("not-found", "There is nothing at this address.");
  });
  addRoutes(app, [
    ...pageRoutes(parts),
    ...projectRoutes(parts),
    ...runRoutes(parts),
    ...attemptRoutes(parts),
    ...actionRoutes(parts),
    eventRoute(parts),
  ]);
  airflowRoutes(app, parts);
  return app;
}

function setHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value);
}
