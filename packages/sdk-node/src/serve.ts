import type { Program } from "./bundle.ts";
import type { Logger } from "./logs/logger.ts";
import type { ServeOptions } from "./runtime/serve-options.ts";
import { taskProcess } from "./start.ts";

/**
 * Serves a bundle, a whole Dag or several: runs the one task that the coordinator started this
 * process for, reports how it ended and ends the process. Call it once, last; it returns at once and
 * owns the process from there. Where Airflow asks for the Dags, it answers with them.
 *
 * A function in the list declares its Dag: `serve([sales, () => reportsOf(tables)])`. What it throws
 * is told as an import error, and the other Dags are read and run all the same.
 *
 * The process ends with 0 when the supervisor has confirmed the report, whatever it was, and with
 * another code when nothing could be reported. Started by hand it says so and ends with 2; started
 * with `--describe` it lists its tasks.
 *
 * @throws RegistrationError `bad-bundle` or `already-serving`
 */
export function serve(program: Program, options: ServeOptions = {}): void {
  taskProcess.serve(program, options);
}

/**
 * A logger for code outside of handlers. Its records go to the log of the task that this process
 * runs, or to stderr when it runs none.
 *
 * @param name - dotted name by which `AIRFLOW__LOGGING__NAMESPACE_LEVELS` sets its level
 */
export function getLogger(name: string): Logger {
  return taskProcess.getLogger(name);
}
