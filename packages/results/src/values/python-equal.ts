import { PythonFloat } from "./python-float.ts";

/**
 * A token that two keys share when Python takes them for one key of a dict: `1`, `1.0` and `True`
 * are equal there, text and bytes are not. `undefined` for what has no equal but itself.
 */
export function keyToken(key: unknown): string | undefined {
  switch (typeof key) {
    case "string":
      return `s${key}`;
    case "number":
      return numberToken(key);
    case "bigint":
      return `n${key}`;
    case "boolean":
      return key ? "n1" : "n0";
    case "object":
      break;
    default:
      return undefined;
  }
  if (key === null) return "null";
  if (key instanceof PythonFloat) return numberToken(key.value);
  if (key instanceof Uint8Array) return `b${Buffer.from(key).toString("latin1")}`;
  if (Array.isArray(key)) {
    const parts = key.map(keyToken);
    return parts.includes(undefined) ? undefined : JSON.stringify(parts);
  }
  // dates, decimals and ids are equal where their texts are
  return key instanceof Set || key instanceof Map ? undefined : `${key.constructor?.name}:${key}`;
}

/** NaN equals nothing, not even itself. */
function numberToken(value: number): string | undefined {
  if (Number.isNaN(value)) return undefined;
  return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`;
}
