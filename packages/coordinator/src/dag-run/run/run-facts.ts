import type { TaskStore } from "../../store/task-store.ts";
import { referencesOf } from "../dag/read-mapping.ts";
import type { CompiledDag } from "../rules/compiled-dag.ts";
import type { RunFacts, SkipDecision } from "../rules/run-view.ts";

/** The key under which Airflow's branches leave what they have decided. */
const SKIP_KEY = "skipmixin_key";

const RETURN_KEY = "return_value";

/** What the rules of one run ask of its XComs, read once when a task has ended. */
export class RunFactsCache {
  readonly #store: TaskStore;
  readonly #dagId: string;
  readonly #runId: string;
  /** Tasks that others are mapped over, and those that may skip others. */
  readonly #mappedOver = new Set<string>();
  readonly #skipping = new Set<string>();
  readonly #lengths = new Map<string, number>();
  readonly #pushed = new Map<string, number>();
  readonly #decisions = new Map<string, SkipDecision>();
  readonly #isMapped = new Set<string>();

  constructor(store: TaskStore, runId: string, { dag, tasks }: CompiledDag) {
    this.#store = store;
    this.#dagId = dag.dagId;
    this.#runId = runId;
    const mappings = [...dag.tasks, ...dag.groups].map(({ mapping }) => mapping);
    for (const mapping of mappings) {
      if (mapping !== null) for (const id of referencesOf(mapping)) this.#mappedOver.add(id);
    }
    for (const { task, skippingParents, skippingPeers } of tasks.values()) {
      for (const id of [...skippingParents, ...skippingPeers]) this.#skipping.add(id);
      if (task.mapping !== null) this.#isMapped.add(task.taskId);
    }
  }

  readonly facts: Pick<RunFacts, "mappedLength" | "pushedInstances" | "skipDecision"> = {
    mappedLength: (taskId) => this.#lengths.get(taskId),
    pushedInstances: (taskId) => this.#pushed.get(taskId) ?? 0,
    skipDecision: (taskId, mapIndex) => this.#decisions.get(keyOf(taskId, mapIndex)),
  };

  /** Reads what a task that has ended may have left. */
  async read(taskId: string, mapIndex: number): Promise<void> {
    if (this.#mappedOver.has(taskId)) await this.#readLength(taskId);
    if (this.#skipping.has(taskId)) await this.#readDecision(taskId, mapIndex);
  }

  /** Whether reading anything of a task is worth it. */
  concerns(taskId: string): boolean {
    return this.#mappedOver.has(taskId) || this.#skipping.has(taskId);
  }

  async #readLength(taskId: string): Promise<void> {
    const series = { dagId: this.#dagId, runId: this.#runId, taskId, key: RETURN_KEY };
    if (this.#isMapped.has(taskId)) {
      this.#pushed.set(taskId, await this.#store.xcoms.count(series));
      return;
    }
    const xcom = await this.#store.xcoms.get({ ...series, mapIndex: -1 });
    const length = xcom?.mappedLength;
    if (length === null || length === undefined) this.#lengths.delete(taskId);
    else this.#lengths.set(taskId, length);
  }

  async #readDecision(taskId: string, mapIndex: number): Promise<void> {
    const ref = { dagId: this.#dagId, runId: this.#runId, taskId, mapIndex, key: SKIP_KEY };
    const decision = decisionOf((await this.#store.xcoms.get(ref))?.value);
    if (decision === undefined) this.#decisions.delete(keyOf(taskId, mapIndex));
    else this.#decisions.set(keyOf(taskId, mapIndex), decision);
  }
}

/** What is no decision is passed over, as Airflow does it. */
function decisionOf(value: unknown): SkipDecision | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = value as { readonly followed?: unknown; readonly skipped?: unknown };
  const decision: { followed?: readonly string[]; skipped?: readonly string[] } = {};
  for (const name of ["followed", "skipped"] as const) {
    if (fields[name] === undefined) continue;
    const ids = idsOf(fields[name]);
    if (ids === undefined) return undefined;
    decision[name] = ids;
  }
  return decision;
}

/** A list, or a set or tuple of Python in its wrapping. */
function idsOf(value: unknown): readonly string[] | undefined {
  const list = (value as { readonly __data__?: unknown } | null)?.__data__ ?? value;
  return Array.isArray(list) && list.every((id) => typeof id === "string") ? list : undefined;
}

function keyOf(taskId: string, mapIndex: number): string {
  return `${mapIndex} ${taskId}`;
}
