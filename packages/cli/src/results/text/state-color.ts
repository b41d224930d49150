import type { Colors } from "../../run/terminal-observer.ts";

/** Green for a good end, red for a bad one, yellow for what goes on. */
export function stateColor(state: string | null, colors: Colors): (text: string) => string {
  if (state === "SUCCESS") return colors.green;
  if (state === "FAILURE" || state === "REVOKED") return colors.red;
  return colors.yellow;
}
