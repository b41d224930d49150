import { setTimeout as sleep } from "node:timers/promises";
import { ResultsError } from "../errors.ts";
import { type Backoff, backoffMs } from "./backoff.ts";
import { DatabaseFault } from "./database-fault.ts";

/** How often, and when, work is tried again. */
export interface RetryPlan {
  readonly retries: number;
  readonly backoff: Backoff;
  readonly retryable: (fault: DatabaseFault) => boolean;
  readonly signal: AbortSignal | undefined;
  /** Called after a fault, before the wait; drops what is dead or stale. */
  readonly beforeRetry?: (fault: DatabaseFault) => void;
  /** For tests: the wait and the dice. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random?: () => number;
}

/** What was tried in vain. */
export class AttemptsFailed extends Error {
  readonly attempts: number;
  readonly fault: DatabaseFault;

  constructor(attempts: number, fault: DatabaseFault) {
    super(fault.message, { cause: fault });
    this.attempts = attempts;
    this.fault = fault;
  }
}

Object.defineProperty(AttemptsFailed.prototype, "name", { value: "AttemptsFailed" });

/**
 * Does `work`, again after faults that may pass.
 *
 * @throws AttemptsFailed after the last; ResultsError `aborted`; anything else of `work` at once
 */
export async function withRetries<T>(plan: RetryPlan, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(plan.signal);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      if (attempt > plan.retries || !plan.retryable(error))
        throw new AttemptsFailed(attempt, error);
      plan.beforeRetry?.(error);
      await (plan.wait ?? waitMs)(backoffMs(plan.backoff, attempt, plan.random), plan.signal);
    }
  }
}

/** @throws ResultsError `aborted`, with the signal's reason as cause */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new ResultsError(
      "aborted",
      "The operation on the result store was aborted by its signal.",
      {
        cause: signal.reason,
      },
    );
  }
}

/** Waits for a promise, or for the signal: ResultsError `aborted`. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  throwIfAborted(signal);
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      try {
        throwIfAborted(signal);
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

/** Waits; ends early, with ResultsError `aborted`, when the signal says so. */
export async function waitMs(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    throwIfAborted(signal);
  }
}
