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
