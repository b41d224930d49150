import type { FinalState } from "@parlance/coordinator";

/** Whether `parlance run` takes a task's end for a good one: only then may it exit with 0. */
export function endedWell(state: FinalState): boolean {
  return state === "success" || state === "skipped";
}
