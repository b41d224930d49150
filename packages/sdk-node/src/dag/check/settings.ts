import { RegistrationError } from "../../errors.ts";
import { kindOf } from "../../outcomes/check-arguments.ts";
import type { TaskSettings, TriggerRule, WeightRule } from "../dag-model.ts";
import { checkOptions, refuse } from "./refuse.ts";

/** Airflow's trigger rules. */
export const TRIGGER_RULES: readonly TriggerRule[] = [
  ...(["all_success", "all_failed", "all_done", "all_done_min_one_success"] as const),
  ...(["all_done_setup_success", "one_success", "one_failed", "one_done"] as const),
  ...(["none_failed", "none_failed_min_one_success", "none_skipped", "all_skipped"] as const),
  "always",
];

const WEIGHT_RULES: readonly WeightRule[] = ["downstream", "upstream", "absolute"];

/** Node's timers end at once beyond 2^31 ms; some is left for the time after the timeout. */
const MAX_TIMEOUT_MS = 24 * 86_400_000;
/** Python's durations end at a billion days, its dates sooner: a thousand years are a mistake. */
const MAX_DURATION_MS = 1000 * 366 * 86_400_000;
const MAX_INTEGER = 2 ** 31 - 1;

type Check = readonly [isRight: (value: unknown) => boolean, expected: string];

const TEXT: Check = [(value) => typeof value === "string" && value !== "", "text"];
const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
const DURATION: Check = [
  (value) => typeof value === "number" && value >= 0 && value <= MAX_DURATION_MS,
  "milliseconds from 0 up to a thousand years",
];

/** The options that settings are made of, with what each must be. */
const SETTINGS: { readonly [Name in keyof TaskSettings]: Check } = {
  owner: TEXT,
  displayName: TEXT,
  doc: [(value) => typeof value === "string", "text"],
  retries: whole(0),
  retryDelayMs: DURATION,
  retryExponentialBackoff: [
    (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
    "a number from 0",
  ],
  maxRetryDelayMs: DURATION,
  pool: TEXT,
  poolSlots: whole(1),
  queue: TEXT,
  triggerRule: oneOf(TRIGGER_RULES),
  priorityWeight: whole(-MAX_INTEGER),
  weightRule: oneOf(WEIGHT_RULES),
  executionTimeoutMs: [
    (value) => typeof value === "number" && value > 0 && value <= MAX_TIMEOUT_MS,
    "milliseconds above 0, at most 24 days of them",
  ],
  dependsOnPast: FLAG,
  ignoreFirstDependsOnPast: FLAG,
  waitForDownstream: FLAG,
  maxActiveTisPerDag: whole(1),
  maxActiveTisPerDagrun: whole(1),
  multipleOutputs: FLAG,
};

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS);

/** Names of those that `taskDefaults` may have: the others say something of one task only. */
export const DEFAULT_NAMES: readonly string[] = SETTING_NAMES.filter(
  (name) => !["displayName", "doc", "multipleOutputs"].includes(name),
);

/**
 * Takes the settings out of a task's options.
 *
 * @throws RegistrationError `bad-option`
 */
export function readSettings(
  where: string,
  options: { readonly [name: string]: unknown },
): Partial<TaskSettings> {
  const settings: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(options)) {
    const check = SETTINGS[name as keyof TaskSettings];
    if (check === undefined || value === undefined) continue;
    const [isRight, expected] = check;
    if (name === "retryExponentialBackoff" && typeof value === "boolean") refuseFlag(where, value);
    if (!isRight(value)) refuse(where, name, value, expected);
    settings[name] = value;
  }
  return Object.freeze(settings) as Partial<TaskSettings>;
}

/** Reads `taskDefaults`. @throws RegistrationError `bad-option` */
export function readDefaults(where: string, given: unknown): Partial<TaskSettings> {
  if (given === undefined) return {};
  const inside = `${where}: taskDefaults`;
  return readSettings(inside, checkOptions(inside, given, DEFAULT_NAMES, "it"));
}

/** What Airflow makes of a boolean depends on where it reads it. */
function refuseFlag(where: string, value: boolean): never {
  const what = value
    ? "Airflow's scheduler reads it as 2 and other parts as 1. Write 2 for a delay that doubles from try to try"
    : "Write 0 for a delay that stays the same";
  const message = `${where}: retryExponentialBackoff is ${kindOf(value)}, expected a number, the factor by which the delay grows. ${what}`;
  throw new RegistrationError("bad-option", message);
}

function whole(min: number): Check {
  const isRight = (value: unknown) => {
    return (
      Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= MAX_INTEGER
    );
  };
  return [isRight, min < 0 ? "a whole number" : `a whole number from ${min}`];
}

function oneOf(values: readonly string[]): Check {
  return [(value) => values.includes(value as string), `one of ${values.join(", ")}`];
}
