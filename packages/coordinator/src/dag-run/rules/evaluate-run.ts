import type { RunnableDag } from "../dag/runnable-dag.ts";
import { checkInstance } from "./check-instance.ts";
import type { CompiledTask } from "./compiled-dag.ts";
import { expandPlaceholder, reviseInstances } from "./mapping/expand.ts";
import { isStuck, type RunEnd, runEnd } from "./run-end.ts";
import { type InstanceState, isSchedulable, type RunFacts, RunView } from "./run-view.ts";
import type { Transition } from "./transition.ts";

/** What one look at a run finds. */
export interface RunEvaluation {
  readonly transitions: readonly Transition[];
  /** How the run has ended; undefined while it goes on. */
  readonly end: RunEnd | undefined;
}

/**
 * One look at a run, as Airflow's scheduler takes it: what the instances are to become, judged by the
 * states as they are before any of it happens; and, where nothing happens, how the run has ended.
 *
 * Pure. Whoever carries the transitions out looks again until there are none.
 */
export function evaluateRun(
  dag: RunnableDag,
  states: Iterable<InstanceState>,
  facts: RunFacts = {},
): RunEvaluation {
  const view = new RunView(dag, states, facts);
  const transitions = lookAtChanges(view);
  if (transitions.length > 0) return { transitions, end: undefined };
  const end = runEnd(view) ?? (isStuck(view) ? STUCK : undefined);
  return { transitions, end };
}

/** How a run ends in which nothing can run any more. */
export const STUCK: RunEnd = {
  state: "failed",
  reason: "deadlock: no task that is left could ever run",
};

/** As {@link evaluateRun}, but looks only at tasks that something has changed for. */
export function lookAtChanges(view: RunView): Transition[] {
  const changing = new Set<string>();
  return view.takeChanged().flatMap((taskId) => {
    const own = view.compiled.tasks.get(taskId);
    if (own === undefined) return [];
    const transitions = lookAtTask(own, view, changing);
    if (transitions.some(({ type }) => type !== "ready")) changing.add(taskId);
    return transitions;
  });
}

/** @param changing - tasks that this look has given a state, or their instances */
function lookAtTask(own: CompiledTask, view: RunView, changing: ReadonlySet<string>): Transition[] {
  const { taskId, isMapped } = own.task;
  const transitions: Transition[] = [];
  const ready: number[] = [];
  for (const [mapIndex, state] of view.instancesOf(taskId)) {
    if (!isSchedulable(state)) continue;
    const verdict = checkInstance(own, mapIndex, view, { changing });
    if (verdict.kind === "forced") {
      const { state: next, reason } = verdict;
      transitions.push({ type: "state", taskId, mapIndex, state: next, reason });
    } else if (verdict.kind === "ready" && isMapped && mapIndex < 0) {
      transitions.push(expandPlaceholder(own, view));
    } else if (verdict.kind === "ready") ready.push(mapIndex);
  }
  if (ready.length === 0) return transitions;
  const revised = isMapped ? reviseInstances(own, view) : [];
  const gone = new Set(revised.map((one) => (one.type === "state" ? one.mapIndex : undefined)));
  transitions.push(...revised);
  for (const mapIndex of ready) {
    if (!gone.has(mapIndex)) transitions.push({ type: "ready", taskId, mapIndex });
  }
  return transitions;
}
