/** A value of plain JSON, as it stands in a serialised Dag. */
export type Encoded = unknown;

/** `{"__type", "__var"}`: a value that plain JSON has no form of its own for. */
export function typed(type: string, value: Encoded): { readonly [key: string]: Encoded } {
  return { __var: value, __type: type };
}

/**
 * A value as Airflow's serialiser of Dags writes it: objects are marked as such at every depth, all
 * else stands as it is.
 */
export function encodeJson(value: unknown): Encoded {
  if (Array.isArray(value)) return value.map(encodeJson);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, encodeJson(entry)]);
  return typed("dict", Object.fromEntries(entries));
}

/** Milliseconds as seconds. */
export function seconds(ms: number): number {
  return ms / 1000;
}

/** Seconds since 1970. */
export function epochSeconds(date: Date): number {
  return date.getTime() / 1000;
}

/** JSON as Python prints it by default: `", "`, `": "`, and nothing but ASCII. */
export function pythonJson(fields: { readonly [name: string]: string }): string {
  const entries = Object.entries(fields).map((pair) => pair.map(asciiText).join(": "));
  return `{${entries.join(", ")}}`;
}

function asciiText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return code === 0x7f ? unit : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
