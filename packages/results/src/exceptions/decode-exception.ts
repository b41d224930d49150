import { SerializerError } from "../serializers/serializer-error.ts";
import { isName, TaskFailure } from "./task-failure.ts";

/**
 * The exception of a decoded result whose state is FAILURE, RETRY or REVOKED; `null` where none was
 * stored (`null`, `{}`, and whatever else Python takes for false). A list of pairs is taken as a dict.
 * Names are data: nothing is imported, so there is no class that would have to be refused.
 *
 * @throws SerializerError `cannot-decode` for any other shape, and where `exc_type` is missing
 */
export function decodeException(value: unknown): TaskFailure | null {
  if (isFalse(value)) return null;
  const read = reader(value);
  if (read === undefined) {
    throw refused(`it is ${shapeOf(value)}; expected an object with exc_type`);
  }
  const type = read("exc_type");
  if (type === undefined) throw refused("it has no exc_type");
  if (!isName(type)) throw refused(`its exc_type is ${shapeOf(type)}; expected a class name`);
  const module = read("exc_module") ?? null;
  if (module !== null && !isName(module)) {
    throw refused(`its exc_module is ${shapeOf(module)}; expected a module name or null`);
  }
  const message = read("exc_message");
  const args = Array.isArray(message) ? message : [message === undefined ? "" : message];
  return new TaskFailure({ type, module, args });
}

function isFalse(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  if (value === 0 || value === 0n) return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Map || value instanceof Set) return value.size === 0;
  return isPlain(value) && Object.keys(value).length === 0;
}

function reader(value: unknown): ((key: string) => unknown) | undefined {
  if (value instanceof Map) return (key) => value.get(key);
  if (Array.isArray(value)) {
    const isPairs = value.every((entry) => Array.isArray(entry) && entry.length === 2);
    return isPairs ? reader(new Map(value as [unknown, unknown][])) : undefined;
  }
  if (!isPlain(value)) return undefined;
  return (key) => (Object.hasOwn(value, key) ? value[key] : undefined);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list that is no list of pairs" : `of type ${typeof value}`;
}

function refused(why: string): SerializerError {
  return new SerializerError(
    "cannot-decode",
    `A stored exception can't be read: ${why}. Celery can't read such a row either.`,
  );
}
