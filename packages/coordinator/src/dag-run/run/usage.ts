import type { RunnableTask } from "../dag/runnable-dag.ts";

/** What the running attempts of one run take. */
export class Usage {
  #running = 0;
  readonly #slots = new Map<string, number>();
  readonly #byTask = new Map<string, number>();

  /** Attempts that run. */
  get running(): number {
    return this.#running;
  }

  /** Slots of a pool. */
  slots(pool: string): number {
    return this.#slots.get(pool) ?? 0;
  }

  /** Attempts of a task. */
  ofTask(taskId: string): number {
    return this.#byTask.get(taskId) ?? 0;
  }

  take(task: RunnableTask): void {
    this.#add(task, 1);
  }

  give(task: RunnableTask): void {
    this.#add(task, -1);
  }

  #add({ taskId, pool, poolSlots }: RunnableTask, by: 1 | -1): void {
    this.#running += by;
    this.#slots.set(pool, this.slots(pool) + by * poolSlots);
    this.#byTask.set(taskId, this.ofTask(taskId) + by);
  }
}
