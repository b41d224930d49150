import type { Wait } from "../api/types.ts";

/** One wait drawn to scale: every number is a share of the whole width, 0 to 1. */
export interface WaitBar {
  /** Back-off's base, or the whole of a wait that has none. */
  readonly base: number;
  readonly jitter: number;
  /** How much of base and jitter the cap cut off. */
  readonly cutOff: number;
  /** Where the cap stands; null for none, or one that is off the scale. */
  readonly cap: number | null;
  /** There is a cap, beyond the right edge. */
  readonly capIsBeyond: boolean;
}

/**
 * Draws the waits of one instance on one scale. The longest of them fills the width; a cap is on the scale
 * where that makes it at most twice as long.
 */
export function waitBars(waits: readonly Wait[]): readonly WaitBar[] {
  const longest = Math.max(0, ...waits.map(wanted));
  const caps = waits.flatMap(({ capSeconds }) => capSeconds ?? []);
  const near = caps.filter((cap) => cap <= 2 * longest);
  const whole = Math.max(longest, ...near) * 1.02 || 1;
  return waits.map((wait) => {
    const { baseSeconds, jitterSeconds, capSeconds, delaySeconds } = wait;
    const hasBackoff = wait.mode === "backoff" && baseSeconds !== null;
    const base = hasBackoff ? Math.min(baseSeconds, delaySeconds) : delaySeconds;
    const jitter = hasBackoff ? Math.min(jitterSeconds ?? 0, delaySeconds - base) : 0;
    const isOnScale = capSeconds !== null && capSeconds <= whole;
    return {
      base: base / whole,
      jitter: jitter / whole,
      cutOff: Math.max(0, wanted(wait) - delaySeconds) / whole,
      cap: isOnScale ? capSeconds / whole : null,
      capIsBeyond: capSeconds !== null && !isOnScale,
    };
  });
}

/** What it would be without a cap. */
function wanted({ mode, baseSeconds, jitterSeconds, delaySeconds }: Wait): number {
  if (mode !== "backoff") return delaySeconds;
  return Math.max(delaySeconds, (baseSeconds ?? 0) + (jitterSeconds ?? 0));
}
