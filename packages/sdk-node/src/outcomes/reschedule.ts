import { checkRecord, optionalDuration, refuse } from "./check-arguments.ts";
import { TaskOutcome } from "./task-outcome.ts";

/**
 * Ends the process and has Airflow start the same try again later, as a sensor does that looks now
 * and then: no worker is held meanwhile and no retry is used up. The handler starts from its
 * beginning; `context.rescheduleCount` and `context.firstStartDate` tell how long it goes on.
 *
 * Airflow fails a task that it has queued again before it heard of the end of the process (seen on
 * 3.3.2, for tasks in Python too): half a minute is safe on a busy machine, a second is not.
 *
 * @param when - a point in time, or how long from now; one that has passed means at once
 * @throws TaskOutcome always; InvalidRequestError when `when` is neither
 */
export function reschedule(when: Date | { readonly afterMs: number }): never {
  const at = pointInTime(when);
  throw new TaskOutcome({ kind: "reschedule", at }, `the task starts again at ${at.toISOString()}`);
}

function pointInTime(when: unknown): Date {
  const call = "reschedule(…)";
  const expected = "a valid Date or { afterMs }";
  if (when instanceof Date) {
    if (Number.isNaN(when.getTime())) refuse(call, "", when, expected);
    return new Date(when);
  }
  checkRecord(call, "", when, expected);
  const afterMs = optionalDuration(call, "/afterMs", when["afterMs"], 0);
  if (afterMs === null) refuse(call, "/afterMs", when["afterMs"], "milliseconds from now");
  return new Date(Date.now() + afterMs);
}
