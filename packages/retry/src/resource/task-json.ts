/** The fields of a task that are floats on the wire, also where they are whole. */
const FLOATS: ReadonlySet<string> = new Set([
  "retries",
  "pool_slots",
  "retry_exponential_backoff",
  "priority_weight",
]);

/**
 * The text of an answer's body as Airflow's server writes it, to the byte: `retries`, `pool_slots`,
 * `retry_exponential_backoff` and `priority_weight` of a task are floats (`3.0`), which
 * `JSON.stringify` would print as `3`. Inside of `params`, numbers are printed as JavaScript does, bigints with
 * all their digits.
 */
export function taskJson(body: unknown): string {
  return print(body, true);
}

/** @param mayBeTask - not inside of params, where anything may have a field `task_id` */
function print(value: unknown, mayBeTask: boolean): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => print(item, mayBeTask)).join(",")}]`;
  const isMap = typeof value === "object" && value !== null && !("toJSON" in value);
  if (!isMap) return JSON.stringify(value) ?? "null";
  const isTask = mayBeTask && Object.hasOwn(value, "task_id");
  const fields = Object.entries(value).map(([name, field]) => {
    const isFloat = isTask && FLOATS.has(name) && typeof field === "number";
    const text = isFloat ? floatJson(field) : print(field, mayBeTask && name !== "params");
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.join(",")}}`;
}

/** The shortest digits that give the same double; exponents below 1e-5 and from 1e16 on (run). */
function floatJson(value: number): string {
  if (!Number.isFinite(value)) return "null";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential();
  if (!Number.isInteger(value)) return String(value);
  return `${Object.is(value, -0) ? "-0" : value}.0`;
}
