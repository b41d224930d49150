/**
 * Puts a variant's parameters into what a case holds: a whole text `$name` becomes the value, `${name}` in a text its
 * text. `{$repeat: [text, n]}` stands for a long text, `{$count: n}` for a list of the numbers from 0, `{$keys: n}`
 * for a map of so many keys.
 */
export function fillIn(value: unknown, parameters: { readonly [name: string]: unknown }): unknown {
  if (typeof value === "string") {
    if (/^\$[a-z]\w*$/i.test(value) && Object.hasOwn(parameters, value.slice(1))) {
      return parameters[value.slice(1)];
    }
    return value.replace(/\$\{(\w+)\}/g, (text, name: string) =>
      Object.hasOwn(parameters, name) ? String(parameters[name]) : text,
    );
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, parameters));
  if (typeof value !== "object" || value === null) return value;
  const long = value as {
    readonly $repeat?: readonly [string, number];
    readonly $count?: number;
    readonly $keys?: number;
  };
  if (long.$repeat !== undefined) return long.$repeat[0].repeat(long.$repeat[1]);
  if (long.$count !== undefined) return Array.from({ length: long.$count }, (_, n) => n);
  if (long.$keys !== undefined) {
    return Object.fromEntries(Array.from({ length: long.$keys }, (_, n) => [`key ${n}`, n]));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      String(fillIn(key, parameters)),
      fillIn(inner, parameters),
    ]),
  );
}
