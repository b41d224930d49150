import { checkObject } from "../check-arguments.ts";
import { pythonFloat, pythonInt } from "../conversions/python-number.ts";
import { describe, RetryError } from "../errors.ts";
import { CORE_DEFAULTS } from "./core-defaults.ts";

/** The texts of the `[core]` section, or of the variables `AIRFLOW__CORE__…`; what is absent is the default. */
export interface CoreOptionTexts {
  readonly default_task_retries?: string;
  readonly default_task_retry_delay?: string;
  readonly max_task_retry_delay?: string;
}

/**
 * Reads the options of `[core]` that decide about retries. All are whole numbers, also as `86400.0` or
 * `864e2`; 0 and negative ones pass, as in Airflow. There is none for the multiplier.
 *
 * @throws {@link RetryError} `bad-input` for a text that is no whole number, or one beyond 2^53
 */
export function parseCoreOptions(texts: CoreOptionTexts): typeof CORE_DEFAULTS {
  checkObject(texts, "the [core] section");
  return {
    defaultTaskRetries: read(texts, "default_task_retries", CORE_DEFAULTS.defaultTaskRetries),
    defaultTaskRetryDelaySeconds: read(
      texts,
      "default_task_retry_delay",
      CORE_DEFAULTS.defaultTaskRetryDelaySeconds,
    ),
    maxTaskRetryDelaySeconds: read(
      texts,
      "max_task_retry_delay",
      CORE_DEFAULTS.maxTaskRetryDelaySeconds,
    ),
  };
}

function read(texts: CoreOptionTexts, name: keyof CoreOptionTexts, fallback: number): number {
  const text = texts[name];
  if (text === undefined) return fallback;
  if (typeof text === "string") {
    const whole = pythonInt(text);
    const value = whole === undefined ? pythonFloat(text) : Number(whole);
    if (value !== undefined && Number.isSafeInteger(value)) return value + 0; // never -0
  }
  throw new RetryError("bad-input", `[core] ${name} is ${describe(text)}; expected a whole number`);
}
