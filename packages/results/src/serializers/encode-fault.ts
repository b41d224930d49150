import { SerializerError } from "./serializer-error.ts";

/** Why a value can't be written; the path to it is filled in on the way out of the recursion. */
export class EncodeFault extends Error {
  readonly path: (string | number)[] = [];
  /** The container that was one too deep; met again on the way out, it is a cycle. */
  readonly deepest: object | undefined;
  isCycle = false;

  constructor(reason: string, deepest?: object) {
    super(reason);
    this.deepest = deepest;
  }
}

/** Adds one step to the path of whatever failed inside `container`. */
export function stepOut(error: unknown, container: object, key: string | number): EncodeFault {
  const fault =
    error instanceof EncodeFault
      ? error
      : new EncodeFault(`reading it failed (${error instanceof Error ? error.message : "?"})`);
  if (fault.deepest === container) {
    // a cycle is told by its shortest path
    fault.isCycle = true;
    fault.path.length = 0;
  }
  fault.path.push(key);
  return fault;
}

/** The public error for whatever `encode` of a serializer met. */
export function encodeError(error: unknown, serializer: string): SerializerError {
  const fault = error instanceof EncodeFault ? error : undefined;
  const path = (fault?.path ?? [])
    .reverse()
    .map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
  const where = path === "" ? "The value" : `The value at ${shorten(path)}`;
  const why = fault?.isCycle ? "it contains itself" : (fault?.message ?? String(error));
  return new SerializerError(
    "cannot-encode",
    `${where} can't be written as ${serializer}: ${why}.`,
    {
      path,
      ...(fault === undefined ? { cause: error } : {}),
    },
  );
}

/** What an unwritable value is, for a message. */
export function describeUnwritable(value: unknown): string {
  if (typeof value !== "object" || value === null) return `it is a ${typeof value}`;
  if (value instanceof Error) {
    return "it is an Error; store errors with state FAILURE, or store their message";
  }
  if (value instanceof Set) return "it is a Set; turn it into an array first";
  const name: unknown = value.constructor?.name;
  const kind = typeof name === "string" && name !== "" ? shorten(name) : "class";
  const hint = "toJSON" in value ? " (its toJSON is not called for you)" : "";
  return `it is a ${kind} instance; turn it into a plain object first${hint}`;
}

/** Whether a value is an object without a class of its own; objects of other realms are, too. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  );
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text).slice(1, -1);
}
