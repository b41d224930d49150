import { ResultsError } from "../errors.ts";
import { TaskFailure } from "../exceptions/task-failure.ts";
import type { StoreClock, WaitOptions } from "./options.ts";
import { PROPAGATE_STATES, READY_STATES } from "./states.ts";
import type { TaskMeta } from "./task-meta.ts";

/**
 * Looks until the task is over: at once, then after each interval, and a last time at the deadline.
 * See {@link ResultStore.wait}.
 */
export async function waitForTask(
  look: (taskId: string) => Promise<TaskMeta>,
  clock: StoreClock,
  taskId: string,
  { timeoutMs, intervalMs = 500, signal, propagate = true }: WaitOptions = {},
): Promise<TaskMeta> {
  if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw badOption("timeoutMs", "0 or more");
  if (!(intervalMs > 0)) throw badOption("intervalMs", "more than 0");
  const deadline = timeoutMs === undefined ? Infinity : clock.now().getTime() + timeoutMs;
  for (;;) {
    const meta = await untilAborted(look(taskId), taskId, signal);
    if (READY_STATES.has(meta.state ?? "")) return propagate ? throwFailure(meta) : meta;
    const leftMs = deadline - clock.now().getTime();
    if (leftMs <= 0) {
      throw new ResultsError(
        "timeout",
        `wait: after ${timeoutMs} ms task ${JSON.stringify(taskId)} is ${meta.state}, which is not the end of it.`,
        { facts: { operation: "wait", id: taskId } },
      );
    }
    try {
      await clock.sleep(Math.min(intervalMs, leftMs), signal);
    } catch (cause) {
      throw aborted(taskId, signal?.reason ?? cause);
    }
  }
}

function throwFailure(meta: TaskMeta): TaskMeta {
  if (!PROPAGATE_STATES.has(meta.state ?? "")) return meta;
  if (meta.result instanceof TaskFailure) throw meta.result;
  throw new TaskFailure({
    type: "Exception",
    module: "builtins",
    args: [`The task is ${meta.state}; no exception was stored.`],
  });
}

/** A look that hangs with its database must not hold back an abort; its outcome is then of no interest. */
function untilAborted<T>(look: Promise<T>, taskId: string, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return look;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(aborted(taskId, signal.reason));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    look.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function aborted(taskId: string, cause: unknown): ResultsError {
  return new ResultsError(
    "aborted",
    `wait: given up by its signal, task ${JSON.stringify(taskId)} was not over.`,
    {
      cause,
      facts: { operation: "wait", id: taskId },
    },
  );
}

function badOption(field: string, expected: string): ResultsError {
  return new ResultsError(
    "bad-option",
    `wait: ${field} has to be a number of milliseconds, ${expected}.`,
    {
      facts: { operation: "wait", field },
    },
  );
}
