import type { TaskInstanceChanges } from "../../store/task-instance-store.ts";
import type { TaskInstanceRef } from "../../store/task-store.ts";
import type { InstanceSummary } from "../history/history-types.ts";
import type { RunRecords } from "../records/run-records.ts";
import type { CompiledDag } from "../rules/compiled-dag.ts";
import type { Transition } from "../rules/transition.ts";
import { LiveInstance } from "./live-instance.ts";

/** A change of an instance that is to be written. */
export interface InstanceChange {
  readonly one: LiveInstance;
  readonly changes: TaskInstanceChanges;
}

/** The instances of a run that goes on, in step with the store: a change is written first. */
export class RunInstances {
  readonly #records: RunRecords;
  readonly #compiled: CompiledDag;
  readonly #byKey = new Map<string, LiveInstance>();

  constructor(records: RunRecords, compiled: CompiledDag, instances: Iterable<LiveInstance>) {
    this.#records = records;
    this.#compiled = compiled;
    for (const one of instances) this.#byKey.set(keyOf(one.ref.taskId, one.ref.mapIndex), one);
  }

  find(taskId: string, mapIndex: number): LiveInstance | undefined {
    return this.#byKey.get(keyOf(taskId, mapIndex));
  }

  get(taskId: string, mapIndex: number): LiveInstance {
    return this.find(taskId, mapIndex) ?? LiveInstance.fresh(this.#refOf(taskId, mapIndex), {});
  }

  all(): IterableIterator<LiveInstance> {
    return this.#byKey.values();
  }

  /** By task in the order of the Dag, then by map index. */
  summaries(): InstanceSummary[] {
    const place = (taskId: string): number => this.#compiled.tasks.get(taskId)?.place ?? 0;
    return [...this.#byKey.values()]
      .map(({ summary }) => summary)
      .sort((a, b) => place(a.taskId) - place(b.taskId) || a.mapIndex - b.mapIndex);
  }

  /** Writes changes, and removes placeholders that have got their instances. */
  async write(
    changes: readonly InstanceChange[],
    gone: readonly LiveInstance[] = [],
  ): Promise<void> {
    await this.#records.change(
      changes.map(({ one, changes: what }) => ({ ref: one.ref, changes: what })),
      gone.map(({ ref }) => ref),
    );
    for (const { ref } of gone) this.#byKey.delete(keyOf(ref.taskId, ref.mapIndex));
    for (const { one, changes: what } of changes) {
      one.change(what);
      this.#byKey.set(keyOf(one.ref.taskId, one.ref.mapIndex), one);
    }
  }

  /** Writes what transitions come to, and gives the changes. */
  async writeTransitions(
    transitions: readonly Transition[],
    at: string,
  ): Promise<readonly InstanceChange[]> {
    const changes = transitions.flatMap((transition) => this.#changesOf(transition, at));
    const gone = transitions.flatMap((transition) =>
      transition.type === "expand" && transition.replacesPlaceholder
        ? [this.get(transition.taskId, -1)]
        : [],
    );
    await this.write(changes, gone);
    return changes;
  }

  #changesOf(transition: Transition, at: string): InstanceChange[] {
    const { taskId } = transition;
    const task = this.#compiled.tasks.get(taskId)?.task;
    if (transition.type === "expand") {
      return transition.mapIndexes.map((mapIndex) => {
        const changes = { state: null, maxTries: task?.retries ?? 0 };
        return { one: LiveInstance.fresh(this.#refOf(taskId, mapIndex), changes), changes };
      });
    }
    const one = this.get(taskId, transition.mapIndex);
    const dates = { startDate: at, endDate: at };
    if (transition.type === "state") {
      const { state, reason: note } = transition;
      return [{ one, changes: { state, note, ...dates } }];
    }
    if (task?.isEmpty === true) return [{ one, changes: { state: "success", ...dates } }];
    // One that has rescheduled itself goes on with what the store has of it in that state.
    return one.continues ? [] : [{ one, changes: { state: "scheduled" } }];
  }

  #refOf(taskId: string, mapIndex: number): TaskInstanceRef {
    const { dagId, runId } = this.#records;
    return { dagId, runId, taskId, mapIndex };
  }
}

function keyOf(taskId: string, mapIndex: number): string {
  return `${mapIndex} ${taskId}`;
}
