import { checkObject, checkWhole } from "../check-arguments.ts";
import { checkMicroseconds, type Microseconds, secondsOf } from "../time/duration.ts";
import type { PythonValue, StoredDelay, StoredMultiplier } from "./values.ts";

/**
 * The `retry_exponential_backoff` of a task in the JSON of its Dag; undefined when it is left out.
 *
 * None, everything that equals 0 (False, -0.0) and empty collections are left out. True stays `true`. What JSON has no
 * number for becomes text: `"nan"`, `"inf"`, `"-inf"`.
 */
export function serializeMultiplier(value: PythonValue): StoredMultiplier {
  if (value === null || value === false || value === 0 || value === 0n) return undefined;
  if (typeof value === "object" && Object.keys(value).length === 0) return undefined;
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

/**
 * A delay in the JSON of its Dag: seconds as a double, wrapped in a mapped task; undefined (left out) for
 * None. Exact to the microsecond up to about 285 years.
 *
 * @throws RetryError `bad-input` for what is no whole number of microseconds
 */
export function serializeDelay(
  us: Microseconds | null,
  options: { readonly mapped: boolean },
): StoredDelay {
  if (us === null) return undefined;
  checkObject(options, "the options");
  const seconds = secondsOf(checkMicroseconds(us, "the delay"));
  return options.mapped ? { __type: "timedelta", __var: seconds } : seconds;
}

/**
 * The `retries` of a task in the JSON of its Dag; undefined (left out) for 0.
 *
 * @throws RetryError `bad-input` for what is no whole number
 */
export function serializeRetries(retries: number | bigint): number | bigint | undefined {
  if (typeof retries !== "bigint") checkWhole(retries, "retries");
  return Number(retries) === 0 ? undefined : retries;
}
