import { inspect, isDeepStrictEqual } from "node:util";
import {
  evaluateRun,
  type InstanceState,
  initialInstances,
  type RunEvaluation,
  type RunFacts,
  type RunnableDag,
  type SkipDecision,
  type Transition,
} from "@parlance/coordinator/dag-run";
// What the engine itself looks with: not exported, since it keeps the states of one run.
import { lookAtChanges } from "../../../../packages/coordinator/dist/dag-run/rules/evaluate-run.js";
import { RunView } from "../../../../packages/coordinator/dist/dag-run/rules/run-view.js";
import {
  endOf,
  instanceName,
  type PlannedTask,
  type PlayedRun,
  type PlayedStates,
  type RunPlan,
  turnOf,
} from "./run-plan.ts";

/** Looks after which a run that still changes by itself never stops. */
const MAX_LOOKS = 100;

/** What is running or over is not skipped by a branch. */
const BEGUN: ReadonlySet<unknown> = new Set(["running", "success", "failed"]);

/**
 * Plays a run through by our own rules, in the same rhythm as play_dags.py. Each look is taken twice: at all
 * instances, and, as the engine does, at those alone for which something has changed.
 */
export function playHere(dag: RunnableDag, plan: RunPlan): PlayedRun {
  const run = new RunHere(dag, plan);
  const steps = [run.settle()];
  while (run.goOn()) steps.push(run.settle());
  return { steps, end: run.look().end?.state ?? "running" };
}

class RunHere {
  readonly #dag: RunnableDag;
  readonly #tasks: ReadonlyMap<string, PlannedTask>;
  readonly #states = new Map<string, InstanceState>();
  readonly #view: RunView;
  readonly #lengths = new Map<string, number>();
  readonly #pushed = new Map<string, number>();
  readonly #decisions = new Map<string, SkipDecision>();
  readonly #facts: RunFacts = {
    mappedLength: (taskId) => this.#lengths.get(taskId),
    pushedInstances: (taskId) => this.#pushed.get(taskId) ?? 0,
    skipDecision: (taskId, mapIndex) => this.#decisions.get(instanceName(taskId, mapIndex)),
  };

  constructor(dag: RunnableDag, plan: RunPlan) {
    this.#dag = dag;
    this.#tasks = new Map(plan.tasks.map((task) => [task.id, task]));
    this.#view = new RunView(dag, [], this.#facts);
    for (const one of initialInstances(dag, null)) this.#set(one);
  }

  look(): RunEvaluation {
    return evaluateRun(this.#dag, this.#states.values(), this.#facts);
  }

  settle(): PlayedStates {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const { transitions } = this.look();
      const changes = lookAtChanges(this.#view);
      if (!isDeepStrictEqual(changes, transitions)) {
        throw new Error(`the engine would see ${inspect(changes)}, not ${inspect(transitions)}`);
      }
      if (transitions.length === 0) return this.#told();
      for (const transition of transitions) this.#apply(transition);
    }
    throw new Error("the run never comes to rest");
  }

  goOn(): boolean {
    const ready = [...this.#states.values()].filter(({ state }) => state === "scheduled");
    const turn = ({ taskId, mapIndex }: InstanceState): number =>
      turnOf(this.#planned(taskId), mapIndex);
    const lowest = Math.min(...ready.map(turn));
    // As the real one has them, so that one that skips another comes first in both.
    const order = (a: InstanceState, b: InstanceState): number =>
      a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : a.mapIndex - b.mapIndex;
    for (const one of ready.filter((each) => turn(each) === lowest).sort(order)) this.#end(one);
    return ready.length > 0;
  }

  #end({ taskId, mapIndex }: InstanceState): void {
    const name = instanceName(taskId, mapIndex);
    if (this.#states.get(name)?.state !== "scheduled") return;
    const planned = this.#planned(taskId);
    const state = endOf(planned, mapIndex);
    this.#set({ taskId, mapIndex, state });
    if (state !== "success") return;
    const { length, decision, skips = [] } = planned;
    if (length !== undefined && mapIndex < 0) this.#lengths.set(taskId, length);
    if (length !== undefined && mapIndex >= 0) {
      this.#pushed.set(taskId, (this.#pushed.get(taskId) ?? 0) + 1);
    }
    if (decision === undefined) return;
    this.#decisions.set(name, decision);
    for (const other of skips) {
      const one = this.#states.get(instanceName(other, mapIndex));
      if (one !== undefined && !BEGUN.has(one.state)) this.#set({ ...one, state: "skipped" });
    }
  }

  #apply(transition: Transition): void {
    const { taskId } = transition;
    if (transition.type === "expand") {
      if (transition.replacesPlaceholder) {
        this.#states.delete(taskId);
        this.#view.delete(taskId, -1);
      }
      for (const mapIndex of transition.mapIndexes) this.#set({ taskId, mapIndex, state: null });
      return;
    }
    const { mapIndex } = transition;
    const state = transition.type === "state" ? transition.state : "scheduled";
    this.#set({ taskId, mapIndex, state });
  }

  #set(one: InstanceState): void {
    this.#states.set(instanceName(one.taskId, one.mapIndex), one);
    this.#view.set(one.taskId, one.mapIndex, one.state);
  }

  #planned(taskId: string): PlannedTask {
    const found = this.#tasks.get(taskId);
    if (found === undefined) throw new Error(`${taskId} is not in the plan`);
    return found;
  }

  #told(): PlayedStates {
    return Object.fromEntries([...this.#states].map(([name, { state }]) => [name, state]));
  }
}
