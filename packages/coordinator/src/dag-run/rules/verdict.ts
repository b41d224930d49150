import type { ForcedState } from "./trigger/trigger-rule.ts";

/** What the rules say about an instance that has not run. */
export type Verdict =
  | { readonly kind: "ready" }
  | { readonly kind: "blocked"; readonly reason: string }
  | { readonly kind: "forced"; readonly state: ForcedState; readonly reason: string };

/** It may run. */
export const READY: Verdict = { kind: "ready" };

/** It has to wait. */
export function blocked(reason: string): Verdict {
  return { kind: "blocked", reason };
}

/** It gets a state without being run. */
export function forced(state: ForcedState, reason: string): Verdict {
  return { kind: "forced", state, reason };
}
