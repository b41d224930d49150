import { describe } from "../errors.ts";
import type { TimeDelta } from "./task-resource.ts";
import { type JsonSchema, timeDeltaSchema } from "./task-schemas.ts";

/** A body that sets when a task runs again; fields that are absent stay as they are. */
export interface RetrySettings {
  /** 0 and more. */
  readonly retries?: number;
  readonly retry_delay?: TimeDelta;
  /** A number: 2 for what was `true` before 3.2, 0 for `false`. */
  readonly retry_exponential_backoff?: number;
  /** Null: no cap. */
  readonly max_retry_delay?: TimeDelta | null;
}

/**
 * The JSON Schema (2020-12) of {@link RetrySettings}. Airflow 3.3.2 has no route that takes such a
 * body (405); this is for services of one's own that do. Booleans are refused, as the change of
 * the field from boolean to number in 3.2 means it.
 */
export const retrySettingsSchema: JsonSchema = {
  type: "object",
  properties: {
    retries: { type: "integer", minimum: 0 },
    retry_delay: timeDeltaSchema,
    retry_exponential_backoff: {
      type: "number",
      description: "The multiplier. Booleans are refused: send 2 for true, 0 for false.",
    },
    max_retry_delay: { oneOf: [timeDeltaSchema, { type: "null" }] },
  },
  additionalProperties: false,
};

/** What is wrong with one field of a body. */
export interface SettingsProblem {
  /** A JSON pointer: `/retry_delay/seconds`; "" for the whole. */
  readonly path: string;
  readonly message: string;
}

type Check = (value: unknown, path: string) => readonly SettingsProblem[];

const CHECKS: Readonly<Record<string, Check>> = {
  retries: (value, path) => checkWhole(value, path, 0, Number.MAX_VALUE),
  retry_delay: checkTimeDelta,
  retry_exponential_backoff: checkMultiplier,
  max_retry_delay: (value, path) => (value === null ? [] : checkTimeDelta(value, path)),
};

/**
 * Checks a body against {@link retrySettingsSchema}, without a schema library.
 *
 * @returns every problem, none when the body is a {@link RetrySettings}
 */
export function checkRetrySettings(body: unknown): readonly SettingsProblem[] {
  return checkFields(body, "", CHECKS);
}

function checkFields(
  value: unknown,
  path: string,
  checks: Readonly<Record<string, Check>>,
): readonly SettingsProblem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return problem(path, `got ${describe(value)}; expected an object`);
  }
  return Object.entries(value).flatMap(([name, field]) => {
    const at = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    return check?.(field, at) ?? problem(at, `is no field here; there are ${listOf(checks)}`);
  });
}

function checkMultiplier(value: unknown, path: string): readonly SettingsProblem[] {
  if (typeof value === "number" && Number.isFinite(value)) return [];
  const hint = typeof value === "boolean" ? `; send ${value ? 2 : 0} for ${value}` : "";
  return problem(path, `got ${describe(value)}; expected a number${hint}`);
}

function checkTimeDelta(value: unknown, path: string): readonly SettingsProblem[] {
  const problems = checkFields(value, path, TIME_DELTA_CHECKS);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return problems;
  const missing = Object.keys(TIME_DELTA_CHECKS).filter((name) => !Object.hasOwn(value, name));
  return [...problems, ...missing.flatMap((name) => problem(`${path}/${name}`, "is missing"))];
}

const TIME_DELTA_CHECKS: Readonly<Record<string, Check>> = {
  __type: (value, path) =>
    value === "TimeDelta" ? [] : problem(path, `got ${describe(value)}; expected "TimeDelta"`),
  days: (value, path) => checkWhole(value, path, -999_999_999, 999_999_999),
  seconds: (value, path) => checkWhole(value, path, 0, 86_399),
  microseconds: (value, path) => checkWhole(value, path, 0, 999_999),
};

function checkWhole(
  value: unknown,
  path: string,
  least: number,
  most: number,
): readonly SettingsProblem[] {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) {
    return [];
  }
  const upTo = most === Number.MAX_VALUE ? "on" : `to ${most}`;
  const message = `got ${describe(value)}; expected a whole number from ${least} ${upTo}`;
  return problem(path, message);
}

function problem(path: string, message: string): readonly SettingsProblem[] {
  return [{ path, message }];
}

function listOf(checks: Readonly<Record<string, Check>>): string {
  return Object.keys(checks).join(", ");
}
