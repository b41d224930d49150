import { checkWhole } from "../check-arguments.ts";
import { CORE_DEFAULTS, DEFAULT_RETRY_DELAY_US } from "../config/core-defaults.ts";
import { describe, RetryError } from "../errors.ts";
import { roundRatio } from "../math/round-ratio.ts";
import { microsecondsOfSeconds } from "../time/duration.ts";
import { pythonFloat } from "./python-number.ts";
import type { StoredDelay, StoredMultiplier } from "./values.ts";

/**
 * The multiplier that the scheduler's copy of a plain (not mapped) task holds: here a stored `true`
 * becomes 2 and `false` 0. Text is read as a number (`"2"`, `"nan"`, `"inf"`). Absent is 0.
 *
 * @throws {@link RetryError} `cannot-deserialize` for null, other text, objects, and whole numbers beyond
 *   a double; stock Airflow then can't load the Dag at all
 */
export function deserializeMultiplier(stored: StoredMultiplier): number {
  if (stored === undefined) return 0;
  if (typeof stored === "boolean") return stored ? 2 : 0;
  const number = toDouble(stored);
  if (number !== undefined) return number;
  throw new RetryError(
    "cannot-deserialize",
    `the stored retry_exponential_backoff is ${describe(stored)}; expected a number`,
  );
}

/**
 * Python's `float()` of a stored value; undefined where it raises.
 *
 * A bigint beyond a double gives undefined as well.
 */
export function toDouble(stored: StoredMultiplier): number | undefined {
  if (typeof stored === "number") return stored;
  if (typeof stored === "string") return pythonFloat(stored);
  if (typeof stored !== "bigint") return undefined;
  const number = roundRatio(stored, 1n);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * The `retry_delay` of the scheduler's copy of a task, in microseconds; 300 s when absent.
 *
 * @throws {@link RetryError} `cannot-deserialize` for anything but seconds or an encoded timedelta,
 *   and beyond 999,999,999 days
 */
export function deserializeRetryDelay(stored: StoredDelay): bigint {
  return readDelay(stored, "retry_delay") ?? DEFAULT_RETRY_DELAY_US;
}

/**
 * The `max_retry_delay` of the scheduler's copy of a task, in microseconds; null (no cap) when absent.
 *
 * @throws {@link RetryError} as {@link deserializeRetryDelay}
 */
export function deserializeMaxRetryDelay(stored: StoredDelay): bigint | null {
  return readDelay(stored, "max_retry_delay") ?? null;
}

/**
 * The retries of the scheduler's copy of a task: as stored, 0 when absent.
 *
 * @throws {@link RetryError} `bad-input` for what is no whole number
 */
export function deserializeRetries(stored: number | bigint | undefined): number | bigint {
  if (stored !== undefined && typeof stored !== "bigint") checkWhole(stored, "the stored retries");
  return stored ?? CORE_DEFAULTS.defaultTaskRetries;
}

function readDelay(stored: StoredDelay, name: string): bigint | undefined {
  if (stored === undefined) return undefined;
  const seconds: unknown = typeof stored === "object" && stored !== null ? stored.__var : stored;
  if (typeof seconds !== "number") {
    throw new RetryError(
      "cannot-deserialize",
      `the stored ${name} is ${describe(stored)}; expected seconds`,
    );
  }
  try {
    return microsecondsOfSeconds(seconds, name);
  } catch (cause) {
    throw new RetryError("cannot-deserialize", (cause as Error).message, { cause });
  }
}
