import { startTimeLimit } from "../time-limit.ts";

/** Named timers of one attempt. Setting one again replaces it; none is left after `clear`. */
export class Deadlines {
  /** What takes a timer back, by its name. */
  readonly #stops = new Map<string, () => void>();
  #cleared = false;

  /** Infinity, and anything beyond 24 days, never comes. */
  set(name: string, afterMs: number, onTime: () => void): void {
    this.#stops.get(name)?.();
    if (!this.#cleared) this.#stops.set(name, startTimeLimit(afterMs, onTime));
  }

  clear(): void {
    this.#cleared = true;
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}
