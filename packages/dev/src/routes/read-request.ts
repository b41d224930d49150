import type { FastifyRequest } from "fastify";
import type { InstanceRef } from "../api/types.ts";
import { ApiError } from "../http/api-error.ts";

/** A text of the path. */
export function pathText(request: FastifyRequest, name: string): string {
  return (request.params as Readonly<Record<string, string>>)[name] ?? "";
}

/**
 * A whole number of the query.
 *
 * @throws ApiError `bad-request` for one that is no number from `least` to `most`
 */
export function queryNumber(
  request: FastifyRequest,
  name: string,
  { least, most, byDefault }: { least: number; most: number; byDefault: number },
): number {
  const text = queryText(request, name);
  if (text === undefined) return byDefault;
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const message = `${name} has to be a whole number from ${least} to ${most}.`;
  throw new ApiError("bad-request", message);
}

/** A text of the query; of several the last. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>;
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  return Array.isArray(value) ? value.at(-1) : value;
}

/** The instance that a path and `mapIndex` of its query name. */
export function instanceOf(request: FastifyRequest): InstanceRef {
  return {
    dagId: pathText(request, "dagId"),
    runId: pathText(request, "runId"),
    taskId: pathText(request, "taskId"),
    mapIndex: queryNumber(request, "mapIndex", { least: -1, most: 2 ** 31 - 1, byDefault: -1 }),
  };
}

/**
 * The body as an object that has only these fields.
 *
 * @throws ApiError `bad-request`
 */
export function bodyObject(
  request: FastifyRequest,
  fields: readonly string[],
): Readonly<Record<string, unknown>> {
  const { body } = request;
  if (!isObject(body)) throw new ApiError("bad-request", "The body has to be a JSON object.");
  const unknown = Object.keys(body).find((name) => !fields.includes(name));
  if (unknown === undefined) return body;
  const known = fields.length === 0 ? "it has none" : `there are ${fields.join(", ")}`;
  throw new ApiError("bad-request", `The body has no field ${JSON.stringify(unknown)}: ${known}.`);
}

/** A JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What a backend found.
 *
 * @throws ApiError `not-found`
 */
export function found<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new ApiError("not-found", `There is no such ${what}.`);
}
