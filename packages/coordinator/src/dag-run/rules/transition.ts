import type { TaskState } from "../history/history-types.ts";
import type { RunView } from "./run-view.ts";

/** What is to change in a run. */
export type Transition =
  /** An instance gets a state without being run. */
  | {
      readonly type: "state";
      readonly taskId: string;
      readonly mapIndex: number;
      readonly state: TaskState;
      readonly reason: string | null;
    }
  /** A mapped task gets these instances, `count` in all; the first ones take its placeholder's place. */
  | {
      readonly type: "expand";
      readonly taskId: string;
      readonly count: number;
      readonly mapIndexes: readonly number[];
      readonly replacesPlaceholder: boolean;
    }
  /** An instance may be started: its state becomes `scheduled`. */
  | { readonly type: "ready"; readonly taskId: string; readonly mapIndex: number };

/** Carries a transition out on the view. */
export function applyTransition(view: RunView, transition: Transition): void {
  const { taskId } = transition;
  switch (transition.type) {
    case "state":
      view.set(taskId, transition.mapIndex, transition.state);
      break;
    case "ready":
      view.set(taskId, transition.mapIndex, "scheduled");
      break;
    default:
      if (transition.replacesPlaceholder) view.delete(taskId, -1);
      for (const mapIndex of transition.mapIndexes) view.set(taskId, mapIndex, null);
  }
}
