import { InvalidRequestError } from "../errors.ts";
import { toPointer, type ValuePath } from "./value-path.ts";

/** What is the same at each place of a value, and the objects that the place lies in. */
export interface Walk {
  /** What the value is, for the message. */
  readonly what: string;
  readonly open: Set<object>;
  readonly path: (string | number)[];
  /** Whether values of Python's classes are wrapped, or refused. */
  readonly wraps: boolean;
  /** What a value at the walk's place is stored as. */
  readonly encode: (value: unknown, walk: Walk) => unknown;
}

/** The error for a value that cannot be sent. */
export function refused(
  { what }: Walk,
  path: ValuePath,
  got: string,
  expected: string,
): InvalidRequestError {
  const pointer = toPointer(path);
  const place = pointer === "" ? "the value" : pointer;
  return new InvalidRequestError(
    "invalid-value",
    pointer,
    `${what}: ${place} is ${got}, expected ${expected}`,
  );
}

/** The error for an object that is none of those that can be sent. */
export function refusedObject(walk: Walk, value: object): InvalidRequestError {
  return refused(walk, walk.path, className(value), adviceFor(value));
}

function className(value: object): string {
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "a class instance";
}

function adviceFor(value: object): string {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return "text, for example in base64";
  }
  if (value instanceof Map) return "Object.fromEntries(map)";
  if (value instanceof Promise) return "what it resolves to: await it";
  if (value instanceof Date) return "text, for example date.toISOString()";
  if (value instanceof Set) return "an array, [...set]";
  return "a plain object, for example { ...value }";
}
