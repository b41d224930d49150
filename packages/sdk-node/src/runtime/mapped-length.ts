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
  const isMap = typeof value === "object" && value !== null && isPlain(value);
  if (isMap) return Object.keys(value).length;
  const message = `The task's result is ${kindOf(value)}, expected a list or a map: it is registered with mapsDownstream, so tasks are expanded over it`;
  throw new InvalidRequestError("invalid-value", "", message);
}

/** Python expands over no set and over no object of another class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
