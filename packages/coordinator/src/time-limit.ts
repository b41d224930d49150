/** The longest delay a Node timer can have; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

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
