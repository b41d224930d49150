/** Where in a value something is: keys and indexes from the outside in. */
export type ValuePath = readonly (string | number)[];

/** The path as a JSON pointer; "" is the whole value. */
export function toPointer(path: ValuePath): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
