import type { CompiledTask } from "../compiled-dag.ts";
import type { RunView } from "../run-view.ts";
import type { Transition } from "../transition.ts";
import { mapCount, missingLengths } from "./map-count.ts";

/** What becomes of the placeholder of a mapped task when its time has come. */
export function expandPlaceholder(own: CompiledTask, view: RunView): Transition {
  const { taskId } = own.task;
  const count = mapCount(own, view);
  if (count === null || count === undefined) {
    const missing = missingLengths(own, view).join(", ");
    const reason = `it can't be expanded: there is no length of what ${missing} should have left (mapped_length of return_value)`;
    return { type: "state", taskId, mapIndex: -1, state: "upstream_failed", reason };
  }
  if (count === 0) {
    const reason = "it is mapped over an empty list";
    return { type: "state", taskId, mapIndex: -1, state: "skipped", reason };
  }
  const mapIndexes = Array.from({ length: count }, (_, index) => index);
  return { type: "expand", taskId, count, mapIndexes, replacesPlaceholder: true };
}

/**
 * Whether what a task is mapped over has changed its length since it got its instances (it was run
 * again): surplus ones are removed, missing ones made.
 */
export function reviseInstances(own: CompiledTask, view: RunView): Transition[] {
  const { taskId } = own.task;
  const count = mapCount(own, view);
  if (count === null || count === undefined) return [];
  const instances = view.instancesOf(taskId);
  const transitions: Transition[] = [];
  for (const [mapIndex, state] of instances) {
    if (mapIndex < count || state === "removed") continue;
    const reason = `the list has ${count} elements now`;
    transitions.push({ type: "state", taskId, mapIndex, state: "removed", reason });
  }
  const missing: number[] = [];
  for (let index = 0; index < count; index++) if (!instances.has(index)) missing.push(index);
  if (missing.length > 0) {
    const what = { type: "expand", taskId, count, replacesPlaceholder: false } as const;
    transitions.push({ ...what, mapIndexes: missing });
  }
  return transitions;
}
