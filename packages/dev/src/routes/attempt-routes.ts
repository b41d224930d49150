import type { FastifyRequest } from "fastify";
import type { DevBackend, PageRequest } from "../backend/dev-backend.ts";
import type { Route } from "../http/route-table.ts";
import { found, pathText, queryNumber } from "./read-request.ts";

/** What an attempt logged, and what was said on its link. */
export function attemptRoutes({ backend }: { readonly backend: DevBackend }): Route[] {
  return [
    {
      path: "/api/dev/attempts/:attemptId/log",
      GET: async (request) => {
        const page = await backend.log(pathText(request, "attemptId"), pageOf(request));
        return found(page, "attempt");
      },
    },
    {
      path: "/api/dev/attempts/:attemptId/frames",
      GET: async (request) => {
        const page = await backend.frames(pathText(request, "attemptId"), pageOf(request));
        return found(page, "attempt");
      },
    },
  ];
}

function pageOf(request: FastifyRequest): PageRequest {
  return {
    offset: queryNumber(request, "offset", {
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      byDefault: 0,
    }),
    limit: queryNumber(request, "limit", { least: 1, most: 2_000, byDefault: 500 }),
  };
}
