import { describe } from "../errors.ts";
import {
  checkMicroseconds,
  MAX_DELAY_US,
  MIN_DELAY_US,
  type Microseconds,
} from "../time/duration.ts";
import type { TimeDelta } from "./task-resource.ts";
import { TaskResourceError } from "./task-resource-error.ts";

const US_PER_SECOND = 1_000_000n;
const US_PER_DAY = 86_400n * US_PER_SECOND;

/**
 * The wire form of a duration: -5 s is -1 day and 86,395 s, as Python keeps it.
 *
 * @param us - whole microseconds
 * @throws RetryError `bad-input` for anything else, `out-of-range` beyond 999,999,999 days
 */
export function toTimeDelta(us: Microseconds): TimeDelta {
  const whole = BigInt(checkMicroseconds(us, "the duration"));
  let days = whole / US_PER_DAY;
  let rest = whole % US_PER_DAY;
  if (rest < 0n) {
    days -= 1n;
    rest += US_PER_DAY;
  }
  return {
    __type: "TimeDelta",
    days: Number(days),
    seconds: Number(rest / US_PER_SECOND),
    microseconds: Number(rest % US_PER_SECOND),
  };
}

/**
 * The duration of a wire form, in microseconds. Forms that are not normalised are read too.
 *
 * @param path - where it stands, for the message
 * @throws TaskResourceError `bad-resource`
 */
export function fromTimeDelta(value: unknown, path = "TimeDelta"): bigint {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const expected = `expected {"__type":"TimeDelta","days","seconds","microseconds"}`;
    throw new TaskResourceError("bad-resource", path, `got ${describe(value)}; ${expected}`);
  }
  const parts = value as Readonly<Record<string, unknown>>;
  if (parts["__type"] !== undefined && parts["__type"] !== "TimeDelta") {
    const message = `__type is ${describe(parts["__type"])}; expected "TimeDelta"`;
    throw new TaskResourceError("bad-resource", path, message);
  }
  const us =
    wholePart(parts, "days", path) * US_PER_DAY +
    wholePart(parts, "seconds", path) * US_PER_SECOND +
    wholePart(parts, "microseconds", path);
  if (us >= MIN_DELAY_US && us <= MAX_DELAY_US) return us;
  throw new TaskResourceError("bad-resource", path, "is beyond what a timedelta holds");
}

function wholePart(parts: Readonly<Record<string, unknown>>, name: string, path: string): bigint {
  const part = parts[name];
  if (typeof part === "number" && Number.isSafeInteger(part)) return BigInt(part);
  const message = `got ${describe(part)}; expected a whole number`;
  throw new TaskResourceError("bad-resource", `${path}.${name}`, message);
}
