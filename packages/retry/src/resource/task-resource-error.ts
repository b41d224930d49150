/**
 * - `bad-dag`: a Dag description that Airflow's constructors would refuse, or of the wrong types
 * - `bad-options`: an argument beside the Dag is of the wrong type
 * - `bad-resource`: an answer of the REST API that holds no task
 */
export type TaskResourceErrorCode = "bad-dag" | "bad-options" | "bad-resource";

/** What was given can't be read as a Dag, as options, or as the answer of a REST call. */
export class TaskResourceError extends Error {
  readonly code: TaskResourceErrorCode;
  /** Where in the value: `tasks[2].retries`, `retry_delay.days`. */
  readonly path: string;

  constructor(code: TaskResourceErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, options);
    this.code = code;
    this.path = path;
  }
}

Object.defineProperty(TaskResourceError.prototype, "name", { value: "TaskResourceError" });
