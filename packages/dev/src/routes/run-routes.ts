import type { DevBackend } from "../backend/dev-backend.ts";
import type { Route } from "../http/route-table.ts";
import { found, instanceOf, pathText, queryNumber, queryText } from "./read-request.ts";

/** What runs did. Starting one is an action. */
export function runRoutes({ backend }: { readonly backend: DevBackend }): Route[] {
  return [
    {
      path: "/api/dev/dags/:dagId/runs/:runId",
      GET: async (request) => {
        const run = await backend.run(pathText(request, "dagId"), pathText(request, "runId"));
        return found(run, "run");
      },
    },
    {
      path: "/api/dev/dags/:dagId/runs/:runId/tasks/:taskId",
      GET: async (request) =>
        found(await backend.instance(instanceOf(request)), "instance of a task"),
    },
    {
      path: "/api/dev/dags/:dagId/runs/:runId/tasks/:taskId/xcoms",
      GET: async (request) => found(await backend.xcoms(instanceOf(request)), "instance of a task"),
    },
  ];
}

/** The runs of a Dag as a grid. */
export function runPage(backend: DevBackend): NonNullable<Route["GET"]> {
  return async (request) => {
    const limit = queryNumber(request, "limit", { least: 1, most: 200, byDefault: 25 });
    const page = { limit, before: queryText(request, "before") };
    return found(await backend.runs(pathText(request, "dagId"), page), "Dag");
  };
}
