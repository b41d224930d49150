import type { AsyncLocalStorage } from "node:async_hooks";
import type { MappedTask } from "./skip.ts";
import type { TaskOutcome } from "./task-outcome.ts";

/** What functions outside of the handler's arguments need of the task that runs. */
export interface CurrentTask {
  skipDownstream(tasks: readonly (string | MappedTask)[]): Promise<void>;
  /** What was thrown last to end the handler: one that went on has caught it. */
  lastOutcome?: TaskOutcome;
}

/** That of the process, when it runs no other. */
let only: CurrentTask | undefined;
let byCall: AsyncLocalStorage<CurrentTask> | undefined;

/**
 * Makes a task the current one while its handler runs.
 *
 * @param isAlone - the process runs no other task; else, in tests, the current one goes by the
 * asynchronous call, which costs every promise of the process some time
 */
export async function runAsCurrentTask<Result>(
  task: CurrentTask,
  isAlone: boolean,
  call: () => Promise<Result>,
): Promise<Result> {
  if (isAlone) {
    only = task;
    return call();
  }
  const { AsyncLocalStorage } = await import("node:async_hooks");
  byCall ??= new AsyncLocalStorage();
  return byCall.run(task, call);
}

/** The task that runs; undefined when none does. */
export function findCurrentTask(): CurrentTask | undefined {
  return byCall?.getStore() ?? only;
}

/** The same where there must be one. @throws Error when none runs */
export function currentTask(call: string): CurrentTask {
  const task = findCurrentTask();
  if (task !== undefined) return task;
  throw new Error(`${call} was called where no task runs; call it in a handler`);
}
