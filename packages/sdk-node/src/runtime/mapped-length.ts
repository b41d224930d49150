import type { TaskContext } from "../context.ts";
import { InvalidRequestError } from "../errors.ts";
import { kindOf } from "../outcomes/check-arguments.ts";

/**
 * How many instances a result makes of the tasks that are expanded over it; undefined for a mapped
 * instance, whose results are counted by Airflow itself.
 *
 * @param isOfDag - of `dag()`, whose authors have written `forEach`, and no `mapsDownstream`
 * @throws InvalidRequestError for a result that nothing can be expanded over
 */
export function mappedLength(
  value: unknown,
  { mapIndex }: TaskContext,
  isOfDag: boolean = false,
): number | undefined {
  if (mapIndex >= 0) return undefined;
  if (Array.isArray(value)) return value.length;
  const isMap = typeof value === "object" && value !== null && isPlain(value);
  if (isMap) return Object.keys(value).length;
  const why = isOfDag
    ? "a task is mapped over it (forEach)"
    : "it is registered with mapsDownstream, so tasks are expanded over it";
  const message = `The task's result is ${nameOf(value)}, expected a list or a map (a plain object): ${why}`;
  throw new InvalidRequestError("invalid-value", "", message);
}

/** Python expands over no set and over no object of another class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A Map is no map here: its class is said. */
function nameOf(value: unknown): string {
  const kind = kindOf(value);
  const name: unknown = (value as { constructor?: { name?: unknown } } | null)?.constructor?.name;
  return kind === "an object" && typeof name === "string" ? `an instance of ${name}` : kind;
}
