import type { TaskContext } from "../context.ts";
import { InvalidRequestError } from "../errors.ts";
import { kindOf } from "../outcomes/check-arguments.ts";

/**
 * How many instances a result makes of the tasks that are expanded over it; undefined for a mapped
 * instance, whose results are counted by Airflow itself.
 *
 * @throws InvalidRequestError for a result that nothing can be expanded over
 */
export function mappedLength(value: unknown, { mapIndex }: TaskContext): number | undefined {
  if (mapIndex >= 0) return undefined;
  if (Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null) return Object.keys(value).length;
  const message = `The task's result is ${kindOf(value)}, expected a list or a map: it is registered with mapsDownstream, so tasks are expanded over it`;
  throw new InvalidRequestError("invalid-value", "", message);
}
