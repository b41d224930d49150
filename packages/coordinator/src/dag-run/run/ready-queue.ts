import type { CompiledDag } from "../rules/compiled-dag.ts";
import type { Candidate } from "../rules/limits.ts";

/** Instances of one run that may start, by task. */
export class ReadyQueue {
  readonly #compiled: CompiledDag;
  readonly #byTask = new Map<string, Set<number>>();
  #size = 0;

  constructor(compiled: CompiledDag) {
    this.#compiled = compiled;
  }

  get size(): number {
    return this.#size;
  }

  add(taskId: string, mapIndex: number): void {
    const indexes = this.#byTask.get(taskId) ?? new Set();
    this.#byTask.set(taskId, indexes);
    this.#size += indexes.has(mapIndex) ? 0 : 1;
    indexes.add(mapIndex);
  }

  delete(taskId: string, mapIndex: number): void {
    const indexes = this.#byTask.get(taskId);
    if (indexes?.delete(mapIndex) !== true) return;
    this.#size -= 1;
    if (indexes.size === 0) this.#byTask.delete(taskId);
  }

  /** Of each task as many as could start at most: instances of one task are alike. */
  candidates(most: number, runPlace: number): Candidate[] {
    const { dag, tasks } = this.#compiled;
    const found: Candidate[] = [];
    for (const [taskId, indexes] of this.#byTask) {
      const own = tasks.get(taskId);
      if (own === undefined) continue;
      const { task, place: taskPlace } = own;
      let left = most;
      for (const mapIndex of indexes) {
        if (left-- <= 0) break;
        found.push({ dagId: dag.dagId, task, mapIndex, runPlace, taskPlace });
      }
    }
    return found;
  }
}
