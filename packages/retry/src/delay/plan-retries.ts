import { checkObject, checkTryNumber, readInstant } from "../check-arguments.ts";
import { describe, RetryError } from "../errors.ts";
import { checkMicroseconds, type Microseconds } from "../time/duration.ts";
import type { Instant, InstantInput } from "../time/instant.ts";
import { type RetryDelay, type RetryDelayInput, retryDelay } from "./retry-delay.ts";

/** A task that fails at every attempt. */
export interface RetryPlanInput extends Omit<RetryDelayInput, "tryNumber" | "overrideSeconds"> {
  /** How many attempts in all, 1 to 10,000: the task's `retries` and one. */
  readonly tries: number;
  /** Try number of the first one; 1 when absent. After clearing it goes on from where it was. */
  readonly firstTryNumber?: number;
  /** When the first attempt ends. Absent and null: the plan has delays only, no dates. */
  readonly endDate?: InstantInput | null;
  /** How long each attempt after the first is taken to run, in microseconds; 0 when absent. */
  readonly attemptUs?: Microseconds;
}

/** One wait of a plan. */
export interface PlannedWait extends RetryDelay {
  /** Of the attempt that fails before this wait. */
  readonly tryNumber: number;
  /** When that attempt ends; null in a plan without dates. */
  readonly endDate: Instant | null;
  /** The next attempt starts after this; null in a plan without dates. */
  readonly nextRetry: Instant | null;
}

/** All waits of a task that fails at every attempt: one fewer than its attempts. */
export interface RetryPlan {
  readonly waits: readonly PlannedWait[];
  /** The sum of all waits, without the time the attempts run. */
  readonly totalUs: bigint;
}

const MAX_TRIES = 10_000;

/**
 * When each attempt of a task starts if all of them fail.
 *
 * @throws {@link RetryError} those of `nextRetry`; `bad-input` also when `tries` is no whole number from 1
 *   to 10,000
 */
export function planRetries(input: RetryPlanInput): RetryPlan {
  checkObject(input, "the input");
  const { tries, firstTryNumber = 1 } = input;
  checkTryNumber(firstTryNumber, "firstTryNumber");
  if (!Number.isInteger(tries) || tries < 1 || tries > MAX_TRIES) {
    throw new RetryError("bad-input", `tries is ${describe(tries)}; expected 1 to 10,000`);
  }
  const attemptUs = BigInt(checkMicroseconds(input.attemptUs ?? 0, "attemptUs"));
  const waits: PlannedWait[] = [];
  let totalUs = 0n;
  let endDate =
    input.endDate === undefined || input.endDate === null
      ? null
      : readInstant(input.endDate, "endDate");
  for (let tryNumber = firstTryNumber; waits.length < tries - 1; tryNumber++) {
    const delay = retryDelay({ ...input, tryNumber, overrideSeconds: null });
    const nextRetry: Instant | null = endDate === null ? null : endDate.plus(delay.delayUs);
    waits.push({ ...delay, tryNumber, endDate, nextRetry });
    totalUs += delay.delayUs;
    endDate = nextRetry === null ? null : nextRetry.plus(attemptUs);
  }
  return { waits, totalUs };
}
