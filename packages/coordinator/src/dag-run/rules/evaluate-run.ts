import type { RunnableDag } from "../dag/runnable-dag.ts";
import type { TaskState } from "../history/history-types.ts";
import { checkInstance } from "./check-instance.ts";
import type { CompiledTask } from "./compiled-dag.ts";
import type { DecidedPlaceholders } from "./mapping/check-mapped-over.ts";
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
  const { tasks } = view.compiled;
  const decided = new Map<string, TaskState | undefined>();
  const transitions: Transition[] = [];
  const queue = view.takeChanged();
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const own = tasks.get(id);
    if (own === undefined) continue;
    const found = lookAtTask(own, view, decided);
    transitions.push(...found);
    const { taskId } = own.task;
    for (const one of found) {
      if (one.type === "expand") decided.set(taskId, undefined);
      else if (one.type === "state" && one.mapIndex < 0) decided.set(taskId, one.state);
    }
    if (decided.has(taskId)) addMappedOver(queue, own, view);
  }
  return transitions;
}

/** What is mapped over a task sees at once what has been decided about it. */
function addMappedOver(queue: string[], decided: CompiledTask, view: RunView): void {
  const { tasks, dependents } = view.compiled;
  const { taskId } = decided.task;
  const place = (id: string): number => tasks.get(id)?.place ?? 0;
  const more = (dependents.get(taskId) ?? []).filter(
    (id) =>
      tasks.get(id)?.mappedOver.includes(taskId) === true &&
      place(id) > decided.place &&
      !queue.includes(id),
  );
  if (more.length === 0) return;
  queue.push(...more);
  queue.sort((a, b) => place(a) - place(b));
}

function lookAtTask(own: CompiledTask, view: RunView, decided: DecidedPlaceholders): Transition[] {
  const { taskId, isMapped } = own.task;
  const transitions: Transition[] = [];
  const ready: number[] = [];
  for (const [mapIndex, state] of view.instancesOf(taskId)) {
    if (!isSchedulable(state)) continue;
    const verdict = checkInstance(own, mapIndex, view, { decided });
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
