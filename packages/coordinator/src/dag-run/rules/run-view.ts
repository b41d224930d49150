import type { RunnableDag } from "../dag/runnable-dag.ts";
import type { TaskState } from "../history/history-types.ts";
import { type CompiledDag, compileDag } from "./compiled-dag.ts";

/** One instance of a task, and where it stands. */
export interface InstanceState {
  readonly taskId: string;
  /** -1 for one that is not mapped, or not yet. */
  readonly mapIndex: number;
  readonly state: TaskState;
}

/** What a branch, or a short circuit, has decided: XCom `skipmixin_key`. */
export interface SkipDecision {
  /** Of the tasks directly below, only these are not skipped. */
  readonly followed?: readonly string[];
  readonly skipped?: readonly string[];
}

/** What the rules ask beside the states; what is left out is as if nothing were there. */
export interface RunFacts {
  /** How many elements the value had that a task, not mapped, has left for mapping. */
  readonly mappedLength?: (taskId: string) => number | undefined;
  /** How many instances of a mapped task have left a value. */
  readonly pushedInstances?: (taskId: string) => number;
  readonly skipDecision?: (taskId: string, mapIndex: number) => SkipDecision | undefined;
  /** Whether it waits for its next try, or to be rescheduled. */
  readonly isWaiting?: (taskId: string, mapIndex: number) => boolean;
  /** Why a task has to wait for earlier runs; undefined where it has not. */
  readonly waitsForPast?: (taskId: string) => string | undefined;
}

/** How many instances of a task are in which final state. */
export interface StateCounts {
  /** All of them, whatever their state. */
  readonly total: number;
  readonly success: number;
  readonly skipped: number;
  readonly failed: number;
  readonly upstreamFailed: number;
  readonly removed: number;
}

type FinalName = "success" | "skipped" | "failed" | "upstreamFailed" | "removed";

const FINAL_NAMES: ReadonlyMap<TaskState, FinalName> = new Map<TaskState, FinalName>([
  ["success", "success"],
  ["skipped", "skipped"],
  ["failed", "failed"],
  ["upstream_failed", "upstreamFailed"],
  ["removed", "removed"],
]);

const NONE: StateCounts = {
  total: 0,
  success: 0,
  skipped: 0,
  failed: 0,
  upstreamFailed: 0,
  removed: 0,
};

/** Whether nothing happens to an instance of this state any more. */
export function isFinished(state: TaskState): boolean {
  return FINAL_NAMES.has(state);
}

/** Whether an instance of this state is to be started when the rules allow it. */
export function isSchedulable(state: TaskState): boolean {
  return state === null || state === "up_for_retry" || state === "up_for_reschedule";
}

/** The instances of a run, and which tasks have to be looked at because something has changed. */
export class RunView {
  readonly compiled: CompiledDag;
  readonly facts: RunFacts;
  readonly #instances = new Map<string, Map<number, TaskState>>();
  readonly #counts = new Map<string, { -readonly [Name in keyof StateCounts]: number }>();
  #dirty = new Set<string>();
  #unfinished = 0;

  constructor(dag: RunnableDag, states: Iterable<InstanceState>, facts: RunFacts = {}) {
    this.compiled = compileDag(dag);
    this.facts = facts;
    for (const { taskId, mapIndex, state } of states) this.set(taskId, mapIndex, state);
    this.lookAtAll();
  }

  /** By map index, in the order in which they came. */
  instancesOf(taskId: string): ReadonlyMap<number, TaskState> {
    return this.#instances.get(taskId) ?? new Map();
  }

  counts(taskId: string): StateCounts {
    return this.#counts.get(taskId) ?? NONE;
  }

  /** How many instances are not in a final state. */
  get unfinished(): number {
    return this.#unfinished;
  }

  /** Every instance, by task in the order of the document. */
  *all(): Generator<InstanceState> {
    for (const taskId of this.compiled.tasks.keys()) {
      for (const [mapIndex, state] of this.instancesOf(taskId)) yield { taskId, mapIndex, state };
    }
  }

  /** Notes a state, or a new instance. Tasks that are gone from the Dag are left out. */
  set(taskId: string, mapIndex: number, state: TaskState): void {
    if (!this.compiled.tasks.has(taskId)) return;
    const instances = this.#instances.get(taskId) ?? new Map<number, TaskState>();
    this.#instances.set(taskId, instances);
    const before = instances.get(mapIndex);
    if (instances.has(mapIndex)) this.#count(taskId, before ?? null, -1);
    instances.set(mapIndex, state);
    this.#count(taskId, state, 1);
    this.#changed(taskId);
  }

  /** Forgets an instance: the placeholder of a task that has got its instances. */
  delete(taskId: string, mapIndex: number): void {
    const instances = this.#instances.get(taskId);
    const before = instances?.get(mapIndex);
    if (instances?.delete(mapIndex) !== true) return;
    this.#count(taskId, before ?? null, -1);
    this.#changed(taskId);
  }

  /** Has a task looked at again: its wait is over, say. */
  lookAt(taskId: string): void {
    this.#dirty.add(taskId);
  }

  lookAtAll(): void {
    this.#dirty = new Set(this.compiled.tasks.keys());
  }

  /** Ids of the tasks to look at now, in the order of the document. */
  takeChanged(): string[] {
    const { tasks } = this.compiled;
    const changed = [...this.#dirty].sort(
      (a, b) => (tasks.get(a)?.place ?? 0) - (tasks.get(b)?.place ?? 0),
    );
    this.#dirty = new Set();
    return changed;
  }

  #changed(taskId: string): void {
    this.#dirty.add(taskId);
    for (const dependent of this.compiled.dependents.get(taskId) ?? []) this.#dirty.add(dependent);
  }

  #count(taskId: string, state: TaskState, by: 1 | -1): void {
    const counts = this.#counts.get(taskId) ?? { ...NONE };
    this.#counts.set(taskId, counts);
    counts.total += by;
    const name = FINAL_NAMES.get(state);
    if (name === undefined) this.#unfinished += by;
    else counts[name] += by;
  }
}
