/** The longest delay a Node timer can have; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A limit that is running. */
export interface TimeLimit {
  /** Takes the call back. */
  stop(): void;
  /** Whether it keeps the process alive; it does at first. */
  hold(holds: boolean): void;
}

const NO_LIMIT: TimeLimit = { stop: () => {}, hold: () => {} };

/** {@link startTimeLimit} for who has to do more with it than take it back. */
export function openTimeLimit(limitMs: number, onLimit: () => void): TimeLimit {
  if (limitMs > MAX_TIMER_MS) return NO_LIMIT;
  const timer = setTimeout(onLimit, limitMs);
  return {
    stop: () => clearTimeout(timer),
    hold: (holds) => (holds ? timer.ref() : timer.unref()),
  };
}

/**
 * Calls `onLimit` after `limitMs`. From about 24.8 days on (Infinity too) it is never called.
 *
 * @returns takes the call back
 */
export function startTimeLimit(limitMs: number, onLimit: () => void): () => void {
  if (limitMs > MAX_TIMER_MS) return () => {};
  const timer = setTimeout(onLimit, limitMs);
  return () => clearTimeout(timer);
}

/** The promise's value, or undefined when it takes longer. */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | undefined> {
  let stop = (): void => {};
  const limit = new Promise<undefined>((resolve) => {
    stop = startTimeLimit(limitMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    stop();
  }
}

/** Settles as the promise does; but rejects with what `reason` gives as soon as one signal aborts. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
  reason: () => Error,
): Promise<T> {
  // One of its own: on a signal that many share, Node warns of their many listeners.
  const any = AbortSignal.any(signals.filter((signal) => signal !== undefined));
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(reason());
  });
  promise.catch(() => {}); // it may fail when nobody waits for it any more
  if (any.aborted) abort();
  else any.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    any.removeEventListener("abort", abort);
  }
}
