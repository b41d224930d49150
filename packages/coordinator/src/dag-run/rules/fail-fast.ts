import type { RunView } from "./run-view.ts";
import type { Transition } from "./transition.ts";

/** What a failure does to the others in a Dag with `fail_fast`: teardowns are left alone. */
export interface FailFast {
  /** Those that have not begun are skipped. */
  readonly transitions: readonly Transition[];
  /** Those that run are ended, and fail. */
  readonly toEnd: readonly { readonly taskId: string; readonly mapIndex: number }[];
}

/** @see FailFast */
export function failFast(view: RunView, failedTaskId: string): FailFast {
  const transitions: Transition[] = [];
  const toEnd: { taskId: string; mapIndex: number }[] = [];
  for (const { taskId, mapIndex, state } of view.all()) {
    const isOver = state === "success" || state === "failed" || state === "skipped";
    const task = view.compiled.tasks.get(taskId)?.task;
    if (taskId === failedTaskId || isOver || task?.isTeardown === true) continue;
    if (state === "running" || state === "queued") toEnd.push({ taskId, mapIndex });
    else {
      const reason = `fail_fast: ${failedTaskId} failed`;
      transitions.push({ type: "state", taskId, mapIndex, state: "skipped", reason });
    }
  }
  return { transitions, toEnd };
}
