import type { Bundle, DagProgram } from "../bundle.ts";
import type { NoInputs, TaskHandler } from "../task-handler.ts";
import type { AirflowSeed } from "./seed.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import { TestAirflow, type TestTaskOptions } from "./test-airflow.ts";

/**
 * Runs one try of a task against an Airflow in memory that knows what is seeded, and nothing else.
 *
 * ```ts
 * const { state, returnValue } = await runTask(total, { xcoms: { extract: [{ cents: 7 }] } });
 * ```
 *
 * @param target - a handler, or a bundle or a `dag(…)` with `dagId` and `taskId` among the options
 * @returns how it ended; also for a handler that throws
 */
export async function runTask<Inputs extends object = NoInputs>(
  target: Bundle | DagProgram | TaskHandler<unknown, Inputs>,
  options: AirflowSeed & TestTaskOptions<Inputs> = {},
): Promise<TaskOutcome> {
  return new TestAirflow(options).run(target, options);
}
