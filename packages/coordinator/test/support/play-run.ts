import {
  evaluateRun,
  type InstanceState,
  initialInstances,
  type RunEnd,
  type RunFacts,
  type RunnableDag,
} from "@parlance/coordinator/dag-run";

/** How a run went that was played through without any process. */
export interface PlayedRun {
  /** By `task` or `task[index]`. */
  readonly states: { readonly [name: string]: string | null };
  /** Names in the order in which they were started. */
  readonly started: readonly string[];
  readonly end: RunEnd | undefined;
}

/** Plays a run through: each instance that may start ends at once in the state that is asked for. */
export function playRun(
  dag: RunnableDag,
  endOf: (taskId: string, mapIndex: number) => InstanceState["state"] = () => "success",
  facts: RunFacts = {},
): PlayedRun {
  const states = new Map(initialInstances(dag, null).map((one) => [nameOf(one), one]));
  const started: string[] = [];
  const set = (one: InstanceState): void => void states.set(nameOf(one), one);
  for (let round = 0; round < 1_000; round++) {
    const { transitions, end } = evaluateRun(dag, states.values(), facts);
    if (transitions.length === 0) return { states: statesOf(states), started, end };
    for (const transition of transitions) {
      const { taskId } = transition;
      if (transition.type === "expand") {
        if (transition.replacesPlaceholder) states.delete(taskId);
        for (const mapIndex of transition.mapIndexes) set({ taskId, mapIndex, state: null });
        continue;
      }
      const { mapIndex } = transition;
      if (transition.type === "state") set({ taskId, mapIndex, state: transition.state });
      else {
        started.push(nameOf({ taskId, mapIndex }));
        set({ taskId, mapIndex, state: endOf(taskId, mapIndex) });
      }
    }
  }
  throw new Error("the run does not come to an end");
}

function nameOf({ taskId, mapIndex }: Pick<InstanceState, "taskId" | "mapIndex">): string {
  return mapIndex < 0 ? taskId : `${taskId}[${mapIndex}]`;
}

function statesOf(states: ReadonlyMap<string, InstanceState>): PlayedRun["states"] {
  return Object.fromEntries([...states].map(([name, { state }]) => [name, state]));
}
