import { availableParallelism } from "node:os";
import { startTimeLimit } from "../time-limit.ts";

/**
 * How long a launch may keep others out, in milliseconds. What a gate protects is the processor
 * while programs load; one that waits for something else, or hangs, shall not hold up the rest.
 */
const MAX_HOLD_MS = 2_000;

/** What is waiting for its turn. */
interface Waiting {
  readonly enter: () => void;
}

/**
 * Lets so many launches go on at once, first come, first served. Many programs that load at the same
 * time on a few cores are all slow, so that some pass their start-up time; one after the other each
 * is quick, and the last is not later.
 */
export class LaunchGate {
  readonly #maxConcurrent: number;
  readonly #maxHoldMs: number;
  readonly #waiting = new Set<Waiting>();
  #entered = 0;

  /** @param maxConcurrent - from 1 on; Infinity lets all pass */
  constructor(
    maxConcurrent: number,
    { maxHoldMs = MAX_HOLD_MS }: { readonly maxHoldMs?: number } = {},
  ) {
    this.#maxConcurrent = maxConcurrent;
    this.#maxHoldMs = maxHoldMs;
  }

  /**
   * Waits for a turn; an abort ends the waiting without one.
   *
   * @returns ends the turn; calling it twice is fine, and after 2 s the turn ends by itself
   */
  async enter(signals: readonly (AbortSignal | undefined)[] = []): Promise<() => void> {
    if (this.#entered < this.#maxConcurrent) return this.#begin();
    const given = signals.filter((signal) => signal !== undefined);
    if (given.some(({ aborted }) => aborted)) return () => {};
    return await new Promise<() => void>((resolve) => {
      const settle = (leave: () => void): void => {
        this.#waiting.delete(waiting);
        for (const signal of given) signal.removeEventListener("abort", giveUp);
        resolve(leave);
      };
      const giveUp = (): void => settle(() => {});
      const waiting: Waiting = { enter: () => settle(this.#begin()) };
      for (const signal of given) signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #begin(): () => void {
    this.#entered += 1;
    let isOver = false;
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      stopTimer();
      this.#entered -= 1;
      const [next] = this.#waiting;
      next?.enter();
    };
    const stopTimer = startTimeLimit(this.#maxHoldMs, leave);
    return leave;
  }
}

/**
 * The gate of all coordinators that have none of their own: what it protects is the machine. 4 for
 * each processor: 200 Node children on 2 busy cores take 33 s with 1 for each, 20 s with 2, 16 s with
 * 4 or 8 and 15 s without a limit; the slowest of them 0.5, 0.7, 1.2, 3.7 and 14.7 s.
 */
export const sharedLaunchGate: LaunchGate = new LaunchGate(4 * availableParallelism());
