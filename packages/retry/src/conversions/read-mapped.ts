import { describe, RetryError } from "../errors.ts";
import { toDouble } from "./deserialize.ts";
import type { StoredMultiplier } from "./values.ts";

/**
 * The multiplier of a mapped task, which is converted only when it is read: by the scheduler from what
 * was stored, and the same way by the SDK from what was written in the Dag file. `true` is 2,
 * absent is 0, text is read as a number.
 *
 * None has no number on the side of the SDK; the scheduler never sees it, as it is left out of the JSON.
 *
 * @throws {@link RetryError} `not-a-number` for other text, `out-of-range` for a whole number beyond a
 *   double, `wrong-type` for null and objects
 */
export function readMappedMultiplier(raw: StoredMultiplier): number {
  if (raw === undefined || raw === false) return 0;
  if (raw === true) return 2;
  const number = toDouble(raw);
  if (number !== undefined) return number;
  const what = `the retry_exponential_backoff of a mapped task is ${describe(raw)}`;
  if (typeof raw === "string") {
    throw new RetryError("not-a-number", `${what}, which is no number; every read of it fails`);
  }
  if (typeof raw === "bigint") {
    throw new RetryError("out-of-range", `${what}, which is too large for a double`);
  }
  throw new RetryError("wrong-type", `${what}; expected a number`);
}
