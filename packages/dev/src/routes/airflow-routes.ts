import { answerTaskRequest, openApiFragment, taskJson } from "@parlance/retry";
import type { FastifyInstance } from "fastify";
import type { DevBackend } from "../backend/dev-backend.ts";
import { ApiError } from "../http/api-error.ts";
import { addRoutes } from "../http/route-table.ts";

/**
 * The two routes of Airflow's own API, answered by the task resource to the byte, and the document
 * that describes them. They take the session of the page, as everything does here.
 */
export function airflowRoutes(
  app: FastifyInstance,
  { backend }: { readonly backend: DevBackend },
): void {
  addRoutes(app, [{ path: "/openapi.json", GET: () => openApiDocument() }]);
  app.route({
    method: app.supportedMethods,
    url: "/api/v2/", // whatever is below it: see rewriteUrl
    // Before a body is read: other methods are refused whatever they bring.
    onRequest: (request, reply, done) => {
      const { method, originalUrl: target } = request;
      try {
        const answer = answerTaskRequest({ method, target }, (id) => backend.describeDag(id));
        if (answer === undefined) throw new ApiError("not-found", "Not Found");
        reply.code(answer.status).headers(answer.headers);
        // Not by type(), which adds a charset that Airflow does not send.
        reply.header("content-type", "application/json");
        void reply.send(Buffer.from(taskJson(answer.body)));
      } catch (error) {
        done(error as Error);
      }
    },
    handler: () => undefined,
  });
}

/** OpenAPI 3.1 of the two routes, with how one gets in. */
function openApiDocument(): unknown {
  return {
    openapi: openApiFragment.openapi,
    info: {
      title: "Tasks of the Dags of this project",
      version: "3.3.2",
      description:
        "The two routes of tasks of Airflow 3.3.2's API, answered by parlance dev. The session is " +
        "that of its page: open the address it printed, and send the cookie.",
    },
    security: [{ session: [] }],
    paths: openApiFragment.paths,
    components: {
      ...openApiFragment.components,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "parlance_dev_PORT",
          description: "PORT is that of the server.",
        },
      },
    },
  };
}
