/** Between the stacks of an error and of its cause, in what pino writes. */
const CAUSED_BY = "\ncaused by: ";

/** What pino's own serializer writes of an error, besides its properties. */
const PARTS = new Set(["type", "message", "stack", "aggregateErrors"]);

/**
 * An error again, with its causes and properties, from what pino wrote of it; undefined when it is
 * no such thing (the serializer can be replaced).
 */
export function readPinoError(value: unknown): Error | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const written = value as { readonly [key: string]: unknown };
  const { type, message, stack, aggregateErrors } = written;
  if (typeof type !== "string" || typeof message !== "string") return undefined;
  const stacks = typeof stack === "string" ? stack.split(CAUSED_BY) : [];
  const error = errorOf(stacks[0] ?? "", type, message);
  let last = error;
  for (const next of stacks.slice(1)) {
    const cause = errorOf(next, "Error", "");
    last.cause = cause;
    last = cause;
  }
  if (Array.isArray(aggregateErrors)) {
    const members = aggregateErrors.map(readPinoError).filter((member) => member !== undefined);
    Object.defineProperty(error, "errors", { value: members });
  }
  for (const [key, item] of Object.entries(written)) {
    if (!PARTS.has(key)) Object.defineProperty(error, key, { value: item, enumerable: true });
  }
  return error;
}

/** The first lines of a stack have the name and the message; pino's message has those of the causes too. */
function errorOf(stack: string, type: string, message: string): Error {
  const head = stack.slice(0, Math.max(0, stack.search(/\n {4}at /)));
  const [, name = type, said = message] = /^([\w$.]+): ([\s\S]*)$/.exec(head) ?? [];
  const error = new Error(said);
  error.name = name;
  error.stack = stack;
  return error;
}
