import type { RunState, TaskState } from "../api/types.ts";

/** How a state is shown: never by its colour alone. */
export interface StateLook {
  /** For classes of the style. */
  readonly name: string;
  /** One character. */
  readonly sign: string;
  /** For people. */
  readonly label: string;
}

const LOOKS: Readonly<Record<string, StateLook>> = Object.fromEntries(
  (
    [
      ["none", "", "not looked at"],
      ["scheduled", "·", "scheduled"],
      ["queued", "…", "queued"],
      ["running", "▸", "running"],
      ["success", "✓", "success"],
      ["failed", "✕", "failed"],
      ["skipped", "»", "skipped"],
      ["upstream_failed", "↑", "upstream failed"],
      ["up_for_retry", "↻", "up for retry"],
      ["up_for_reschedule", "⟳", "up for reschedule"],
      ["deferred", "D", "deferred"],
      ["awaiting_input", "?", "awaiting input"],
      ["removed", "–", "removed"],
      ["restarting", "R", "restarting"],
      ["canceled", "■", "canceled"],
    ] as const
  ).map(([name, sign, label]) => [name, { name, sign, label }]),
);

/** The look of a task's or a run's state; one that we do not know is shown by its first letter. */
export function stateLook(state: TaskState | RunState): StateLook {
  const name = state ?? "none";
  return LOOKS[name] ?? { name: "none", sign: name.slice(0, 1), label: name.replaceAll("_", " ") };
}

/** States that end a task instance, so that it can be run again. */
export function isOver(state: TaskState): boolean {
  return ["success", "failed", "skipped", "upstream_failed", "removed"].includes(state ?? "");
}
