import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/** Answers a request: what it returns is sent as JSON. */
export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** One path with its methods; what it does not have is a 405 that names them. */
export interface Route {
  readonly path: string;
  readonly GET?: RouteHandler;
  readonly POST?: RouteHandler;
}

/** Adds routes, and for each path the refusal of the other methods. */
export function addRoutes(app: FastifyInstance, routes: readonly Route[]): void {
  for (const { path: url, ...handlers } of routes) {
    const allowed = Object.keys(handlers) as ("GET" | "POST")[];
    for (const method of allowed) {
      const handler = handlers[method];
      if (handler !== undefined) app.route({ method, url, handler });
    }
    const others = app.supportedMethods.filter((method) => !allowed.includes(method as "GET"));
    app.route({
      method: others,
      url,
      // Before the body is read: it may be anything.
      onRequest: (_request, reply, done) => {
        reply.header("allow", allowed.join(", "));
        done(new ApiError("method-not-allowed", `This takes ${allowed.join(" or ")} only.`));
      },
      handler: () => undefined,
    });
  }
}
