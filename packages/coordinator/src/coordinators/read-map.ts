import { badConfig } from "./coordinator-config-error.ts";

/**
 * A setting of Airflow's as JSON text, or parsed already.
 *
 * @param what - the setting's name, for the message
 * @throws CoordinatorConfigError `bad-config`
 */
export function readJson(value: unknown, what: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw badConfig(`${what} is no JSON`, undefined, cause);
  }
}

/** As {@link readJson}; it has to be an object. */
export function readMap(value: unknown, what: string): { readonly [key: string]: unknown } {
  const parsed = readJson(value, what);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw badConfig(`${what} is no JSON object`);
  }
  return parsed as { readonly [key: string]: unknown };
}
