import { checkRecord, optionalText, refuse, textOf } from "./check-arguments.ts";
import { currentTask } from "./current-task.ts";
import { TaskOutcome } from "./task-outcome.ts";

/**
 * Ends the task as skipped. Tasks behind it are skipped too, where their trigger rule says so.
 *
 * @param reason - written to the task's log
 * @throws TaskOutcome always
 */
export function skip(reason?: string): never {
  const facts = { kind: "skip", reason: optionalText("skip(…)", "", reason) } as const;
  throw new TaskOutcome(facts, facts.reason ?? "the task is skipped");
}

/** One instance of a mapped task. */
export interface MappedTask {
  readonly taskId: string;
  readonly mapIndex: number;
}

/**
 * Has Airflow skip tasks that come after this one; this one goes on and ends as it does. What comes
 * behind the skipped ones is left to their trigger rules.
 *
 * @param tasks - one task id, or several; an instance of a mapped task as `{ taskId, mapIndex }`
 * @throws InvalidRequestError, or what a request may throw, or Error outside of a handler
 */
export async function skipDownstream(
  tasks: string | MappedTask | readonly (string | MappedTask)[],
): Promise<void> {
  const call = "skipDownstream(…)";
  const list = Array.isArray(tasks) ? (tasks as readonly unknown[]) : [tasks];
  const checked = list.map((task, index) => {
    const path = Array.isArray(tasks) ? `/${index}` : "";
    if (typeof task === "string") return textOf(call, path, task, "a task id");
    checkRecord(call, path, task, "a task id or { taskId, mapIndex }");
    const taskId = textOf(call, `${path}/taskId`, task["taskId"], "a task id");
    const mapIndex = task["mapIndex"];
    if (typeof mapIndex !== "number" || !Number.isSafeInteger(mapIndex) || mapIndex < -1) {
      refuse(call, `${path}/mapIndex`, mapIndex, "the index of a mapped instance");
    }
    return { taskId, mapIndex };
  });
  await currentTask(call).skipDownstream(checked);
}
