import type { MappedTask } from "./skip.ts";

/** What a function outside of the handler's arguments needs of the task that runs. */
export interface CurrentTask {
  skipDownstream(tasks: readonly (string | MappedTask)[]): Promise<void>;
}

let find: () => CurrentTask | undefined = () => undefined;

/**
 * Says how the running task is found: a task's process has one, a test may have several at a time.
 *
 * @param finder - asked at each call
 */
export function provideCurrentTask(finder: () => CurrentTask | undefined): void {
  find = finder;
}

/** The task that runs. @throws Error when none does */
export function currentTask(call: string): CurrentTask {
  const task = find();
  if (task !== undefined) return task;
  throw new Error(`${call} was called where no task runs; call it in a handler`);
}
