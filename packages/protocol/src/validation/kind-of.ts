const MAX_SHOWN_LENGTH = 40;

/** A short text itself, for places where no secret can stand; else what kind of thing it is. */
export function shown(value: unknown): string {
  const isShort = typeof value === "string" && value.length <= MAX_SHOWN_LENGTH;
  return isShort ? JSON.stringify(value) : kindOf(value);
}

/** What kind of thing a value is, in the words of the messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return value === "" ? "empty text" : "text";
    case "boolean":
      return String(value);
    case "number":
      return numberKind(value);
    case "bigint":
      return "a whole number";
    case "object":
      return objectKind(value);
    default:
      return typeof value;
  }
}

function numberKind(value: number): string {
  if (Number.isInteger(value)) return "a whole number";
  return Number.isFinite(value) ? "a number with a fraction" : String(value);
}

function objectKind(value: object): string {
  if (Array.isArray(value))
    return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (ArrayBuffer.isView(value)) return "bytes";
  // From the prototype: a decoded map may well have a key called "constructor".
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { name?: unknown } };
  const name = prototype?.constructor?.name;
  return typeof name !== "string" || name === "Object"
    ? "a map"
    : `an instance of ${name.slice(0, MAX_SHOWN_LENGTH)}`;
}
