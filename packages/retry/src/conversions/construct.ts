import { describe, RetryError } from "../errors.ts";
import { checkMicroseconds, checkRange, microsecondsOfSeconds } from "../time/duration.ts";
import { pythonInt } from "./python-number.ts";
import { type ConstructorPlace, checkPlace, isTimeDelta, type PythonValue } from "./values.ts";

/**
 * What a task object of the SDK holds after `retry_exponential_backoff=value`.
 *
 * Nothing is converted here: True stays True. A mapped operator keeps even text, which then is read as
 * a number, or fails, whenever the scheduler looks at it.
 *
 * @throws {@link RetryError} `wrong-type` for text and objects, except for a mapped operator; `bad-input`
 *   for another place
 */
export function constructMultiplier(value: PythonValue, place: ConstructorPlace): PythonValue {
  checkPlace(place);
  if (place === "operator-mapped" || value === null) return value;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
    return value;
  }
  throw new RetryError(
    "wrong-type",
    `retry_exponential_backoff is ${describe(value)}; expected a number`,
  );
}

/**
 * The microseconds that a task object of the SDK holds after `retry_delay=value` or
 * `max_retry_delay=value`: a timedelta, or seconds. True is one second. Negative ones pass.
 *
 * @returns null for None, which later counts as absent
 * @throws {@link RetryError} `wrong-type` for text and objects, and for None in a mapped `@task`;
 *   `not-a-number`; `out-of-range`; `bad-input` for another place
 */
export function constructDelay(
  value: PythonValue,
  place: ConstructorPlace,
  name: "retry_delay" | "max_retry_delay" = "retry_delay",
): bigint | null {
  checkPlace(place);
  if (value === null && place !== "task-mapped") return null;
  if (isTimeDelta(value)) return checkRange(BigInt(checkMicroseconds(value.us, name)), name);
  if (typeof value === "boolean") return value ? 1_000_000n : 0n;
  if (typeof value === "number" || typeof value === "bigint") {
    return microsecondsOfSeconds(value, name);
  }
  const shown = describe(value);
  throw new RetryError("wrong-type", `${name} is ${shown}; expected a timedelta or seconds`);
}

/**
 * The retries that a task object of the SDK holds after `retries=value`.
 *
 * An operator takes what Python's `int()` takes (`"3"`, `2.7`, True); `@task` whole numbers and
 * booleans only. None is 0. Negative ones pass. A whole JavaScript number counts as an int, though Python's
 * `@task` refuses the float 2.0.
 *
 * @throws {@link RetryError} `wrong-type`; `out-of-range` for an infinite number; `bad-input` for another
 *   place
 */
export function constructRetries(value: PythonValue, place: ConstructorPlace): number | bigint {
  checkPlace(place);
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint" || Number.isInteger(value)) return value as number | bigint;
  const retries = place.startsWith("operator") ? truncate(value) : undefined;
  if (retries !== undefined) return retries;
  throw new RetryError("wrong-type", `retries is ${describe(value)}; expected a whole number`);
}

function truncate(value: PythonValue): number | bigint | undefined {
  if (typeof value === "string") {
    const whole = pythonInt(value);
    return whole !== undefined && Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
  }
  if (typeof value !== "number" || Number.isNaN(value)) return undefined;
  if (Number.isFinite(value)) return Math.trunc(value) + 0; // never -0
  throw new RetryError("out-of-range", `retries is ${value}; expected a finite number`);
}
