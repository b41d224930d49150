import type { DevBackend } from "../backend/dev-backend.ts";
import type { Route } from "../http/route-table.ts";
import { found, pathText } from "./read-request.ts";

/** The project and its Dags. */
export function projectRoutes({ backend }: { readonly backend: DevBackend }): Route[] {
  return [
    { path: "/api/dev/project", GET: () => backend.project() },
    {
      path: "/api/dev/dags/:dagId",
      GET: async (request) => found(await backend.dag(pathText(request, "dagId")), "Dag"),
    },
  ];
}
