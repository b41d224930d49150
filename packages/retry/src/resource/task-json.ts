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
 * `JSON.stringify` would print as `3`. Numbers inside of `params` are printed as JavaScript does.
 */
export function taskJson(body: unknown): string {
  if (Array.isArray(body)) return `[${body.map(taskJson).join(",")}]`;
  if (typeof body !== "object" || body === null) return JSON.stringify(body) ?? "null";
  const isTask = Object.hasOwn(body, "task_id");
  const fields = Object.entries(body).map(([name, value]) => {
    const text =
      isTask && FLOATS.has(name) && typeof value === "number"
        ? floatJson(value)
        : isTask && name === "params"
          ? JSON.stringify(value)
          : taskJson(value);
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
