/** `setTimeout` fires at once for more than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Named timers of one attempt. Setting one again replaces it; none is left after `clear`. */
export class Deadlines {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #cleared = false;

  /** Infinity, and anything beyond 24 days, never comes. */
  set(name: string, afterMs: number, onTime: () => void): void {
    clearTimeout(this.#timers.get(name));
    if (this.#cleared || afterMs > MAX_TIMER_MS) return;
    this.#timers.set(name, setTimeout(onTime, afterMs));
  }

  clear(): void {
    this.#cleared = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

/** True when `work` settled in time, false when the time was over first. */
export async function settlesWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    if (limitMs <= MAX_TIMER_MS) timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
