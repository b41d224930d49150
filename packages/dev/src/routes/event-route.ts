import type { EventStreams } from "../events/event-streams.ts";
import type { Route } from "../http/route-table.ts";

/** The stream of events. The answer never ends, so it is taken out of Fastify's hands. */
export function eventRoute({ events }: { readonly events: EventStreams }): Route {
  return {
    path: "/api/dev/events",
    GET: (request, reply) => {
      const lastId = request.headers["last-event-id"];
      const headers = reply.getHeaders();
      events.open(reply.raw, headers, typeof lastId === "string" ? lastId : undefined);
      reply.hijack();
    },
  };
}
