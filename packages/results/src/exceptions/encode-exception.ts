import { createJsonSerializer } from "../json/json-serializer.ts";
import type { Serializer } from "../serializers/serializer.ts";
import { argumentText, isName, TaskFailure } from "./task-failure.ts";

/**
 * Module under which JavaScript errors are stored. No Python has it, so Celery makes a class of the
 * error's name in `celery.exceptions`. It must not be one that exists: with `builtins`, an error
 * called `print` would be taken for the function, and Celery would refuse to read the row.
 */
export const JAVASCRIPT_MODULE = "parlance.javascript";

/** What is stored for a failure, in Celery's order of keys. */
export interface StoredException {
  readonly exc_type: string;
  readonly exc_message: readonly unknown[];
  readonly exc_module: string | null;
}

/**
 * An exception as Celery stores it. A {@link TaskFailure} keeps its type, module and arguments; any
 * other `Error` is stored by its `name` (that of its class where the name is just `Error`) with its
 * message as the one argument; any other thrown value is an `Error` with the value as argument.
 * An argument that the serializer can't write is replaced by a text, one by one.
 *
 * @param serializer the one that will write the row; default json
 */
export function encodeException(
  error: unknown,
  serializer: Serializer = createJsonSerializer({}),
): StoredException {
  const { type, module, args } = factsOf(error);
  return {
    exc_type: type,
    exc_message: args.map((value) => (canEncode(value, serializer) ? value : argumentText(value))),
    exc_module: module,
  };
}

function factsOf(error: unknown): {
  type: string;
  module: string | null;
  args: readonly unknown[];
} {
  if (error instanceof TaskFailure) return error;
  const isError =
    error instanceof Error || Object.prototype.toString.call(error) === "[object Error]";
  if (!isError) return { type: "Error", module: JAVASCRIPT_MODULE, args: [error] };
  const { name, message } = error as Error;
  const className: unknown = (error as Error).constructor?.name;
  const type = isName(name) && name !== "Error" ? name : isName(className) ? className : "Error";
  return { type, module: JAVASCRIPT_MODULE, args: [String(message)] };
}

function canEncode(value: unknown, serializer: Serializer): boolean {
  try {
    serializer.encode(value);
    return true;
  } catch {
    return false;
  }
}
