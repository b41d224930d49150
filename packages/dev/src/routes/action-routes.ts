import type { FastifyRequest } from "fastify";
import type { Accepted, StartRun } from "../api/types.ts";
import type { DevBackend } from "../backend/dev-backend.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/route-table.ts";
import { bodyObject, instanceOf, isObject, pathText } from "./read-request.ts";
import { runPage } from "./run-routes.ts";

const ACCEPTED: Accepted = { accepted: true };

/** Everything that changes something. */
export function actionRoutes({ backend }: { readonly backend: DevBackend }): Route[] {
  return [
    {
      path: "/api/dev/dags/:dagId/runs",
      GET: runPage(backend),
      POST: async (request, reply) => {
        const started = await backend.startRun(pathText(request, "dagId"), readStartRun(request));
        reply.code(202);
        return started;
      },
    },
    {
      path: "/api/dev/dags/:dagId/runs/:runId/cancel",
      POST: async (request, reply) => {
        bodyObject(request, []);
        await backend.cancelRun(pathText(request, "dagId"), pathText(request, "runId"));
        reply.code(202);
        return ACCEPTED;
      },
    },
    {
      path: "/api/dev/dags/:dagId/runs/:runId/resume",
      POST: async (request, reply) => {
        bodyObject(request, []);
        await backend.resumeRun(pathText(request, "dagId"), pathText(request, "runId"));
        reply.code(202);
        return ACCEPTED;
      },
    },
    {
      path: "/api/dev/dags/:dagId/runs/:runId/tasks/:taskId/retry",
      POST: async (request, reply) => {
        const { mapIndex = -1 } = bodyObject(request, ["mapIndex"]);
        if (!Number.isInteger(mapIndex) || (mapIndex as number) < -1) {
          throw new ApiError("bad-request", "mapIndex has to be a whole number from -1 on.");
        }
        await backend.retryTask({ ...instanceOf(request), mapIndex: mapIndex as number });
        reply.code(202);
        return ACCEPTED;
      },
    },
  ];
}

const MAX_TIME_SCALE = 1_000;

/** What is kept of a run is read again and again, by code that goes into it level by level. */
const MAX_CONF_DEPTH = 64;

function readStartRun(request: FastifyRequest): StartRun {
  const body = bodyObject(request, ["conf", "logicalDate", "timeScale", "taskIds"]);
  const { conf, logicalDate, timeScale, taskIds } = body;
  if (conf !== undefined && !isObject(conf)) throw refusal("conf", "a JSON object");
  if (conf !== undefined && !isFlat(conf, MAX_CONF_DEPTH)) {
    throw refusal("conf", `at most ${MAX_CONF_DEPTH} levels deep`);
  }
  if (logicalDate !== undefined && logicalDate !== null && !isDate(logicalDate)) {
    throw refusal("logicalDate", "ISO 8601 text with a zone, or null");
  }
  if (timeScale !== undefined && !isTimeScale(timeScale)) {
    throw refusal("timeScale", `a number from 0 to ${MAX_TIME_SCALE}`);
  }
  if (taskIds !== undefined && !isTexts(taskIds)) throw refusal("taskIds", "a list of texts");
  return {
    ...(conf !== undefined && { conf }),
    ...(logicalDate !== undefined && { logicalDate }),
    ...(timeScale !== undefined && { timeScale }),
    ...(taskIds !== undefined && { taskIds }),
  };
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isFlat(item, levels - 1));
}

function refusal(name: string, expected: string): ApiError {
  return new ApiError("bad-request", `${name} has to be ${expected}.`);
}

function isDate(value: unknown): value is string {
  const form = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
  return typeof value === "string" && form.test(value) && !Number.isNaN(Date.parse(value));
}

function isTimeScale(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_TIME_SCALE;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
