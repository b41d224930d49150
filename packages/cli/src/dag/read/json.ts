/** A map of a serialised Dag. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Whether a value is a map. */
export function isMap(value: unknown): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The map; an empty one for anything else. */
export function mapOf(value: unknown): JsonMap {
  return isMap(value) ? value : {};
}

/** The list; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each): each is string => typeof each === "string");
}

/** Airflow's own encoding of what JSON has no place for: `{"__type": …, "__var": …}`. */
export function encodedOf(value: unknown): { readonly type: string; readonly var: unknown } | null {
  if (!isMap(value) || typeof value["__type"] !== "string") return null;
  return { type: value["__type"], var: value["__var"] };
}

/** A value without Airflow's marks of dicts, at every depth. */
export function withoutDicts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDicts);
  if (!isMap(value)) return value;
  const encoded = encodedOf(value);
  if (encoded !== null && encoded.type !== "dict") return value;
  const entries = Object.entries(mapOf(encoded === null ? value : encoded.var));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutDicts(each)]));
}

/** A number of JSON or of MessagePack. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
}
