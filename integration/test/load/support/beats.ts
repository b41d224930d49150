import type { Heartbeat } from "@parlance/coordinator";

/** Beats that measure how late they come. */
export class Beats implements Heartbeat {
  readonly intervalMs: number;
  count = 0;
  /** The longest time between two beats, beyond the interval. */
  worstDelayMs = 0;
  #lastAt: number | undefined;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
  }

  async beat(): Promise<"running"> {
    const now = performance.now();
    if (this.#lastAt !== undefined) {
      this.worstDelayMs = Math.max(this.worstDelayMs, now - this.#lastAt - this.intervalMs);
    }
    this.#lastAt = now;
    this.count += 1;
    return "running";
  }
}
