import { RegistrationError } from "./errors.ts";
import type { TaskHandler, TaskOptions } from "./task-handler.ts";
import { checkTaskOptions } from "./task-options.ts";

/** Airflow's own limit of Dag and task ids, in characters. */
const MAX_ID_CHARACTERS = 250;
/** Airflow allows letters and digits of any script, and `_ . -`; a task id's dots name its groups. */
const ID = /^[\p{L}\p{N}_.-]+$/u;

const BRAND = Symbol.for("parlance.sdk-node.bundle");

interface Task {
  readonly handler: TaskHandler;
  readonly options: TaskOptions;
}

/** The tasks of one program: a handler for each Dag and task id. */
export class Bundle {
  readonly #dags = new Map<string, Map<string, Task>>();

  constructor() {
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Registers the handler of one task.
   *
   * What the handler resolves to becomes the task's result (XCom `return_value`), unless it is
   * `undefined` or `null`; what it throws fails the task.
   *
   * @param dagId - id of the Dag in Python
   * @param taskId - id of the `@task.stub` in that Dag, with its groups (`group.task`)
   * @param options - execution timeout, retry policy and the like; may be left out
   * @returns this bundle
   * @throws RegistrationError `bad-id`, `bad-handler` or `duplicate-task`; nothing has changed then
   */
  task<Result = unknown>(dagId: string, taskId: string, handler: TaskHandler<Result>): this;
  task<Result = unknown>(
    dagId: string,
    taskId: string,
    options: TaskOptions,
    handler: TaskHandler<Result>,
  ): this;
  task(
    dagId: string,
    taskId: string,
    ...rest: [TaskHandler] | [options: TaskOptions, handler: TaskHandler]
  ): this {
    checkId("Dag", dagId);
    checkId("task", taskId);
    const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
    if (typeof handler !== "function") {
      const message = `bundle.task(${quote(dagId)}, ${quote(taskId)}, …) got ${kindOf(handler)} as handler, expected a function`;
      throw new RegistrationError("bad-handler", message);
    }
    if (this.getHandler(dagId, taskId) !== undefined) {
      const message = `bundle.task(${quote(dagId)}, ${quote(taskId)}, …): this task has a handler already; give the other one its own task id`;
      throw new RegistrationError("duplicate-task", message);
    }
    const tasks = this.#dags.get(dagId) ?? new Map<string, Task>();
    tasks.set(taskId, { handler, options: checkTaskOptions(options, quote(dagId), quote(taskId)) });
    this.#dags.set(dagId, tasks);
    return this;
  }

  /** The handler of a task, to call it in a test; undefined when there is none. */
  getHandler(dagId: string, taskId: string): TaskHandler | undefined {
    return this.#dags.get(dagId)?.get(taskId)?.handler;
  }

  /** What a task was registered with besides its handler; undefined when there is no such task. */
  getOptions(dagId: string, taskId: string): TaskOptions | undefined {
    return this.#dags.get(dagId)?.get(taskId)?.options;
  }

  /** Every Dag id with its task ids, both in order of registration. */
  list(): readonly (readonly [dagId: string, taskIds: readonly string[]])[] {
    return Array.from(this.#dags, ([dagId, tasks]) => [dagId, [...tasks.keys()]] as const);
  }
}

/** Whether a value is a {@link Bundle}, also one of another copy of this package. */
export function isBundle(value: unknown): value is Bundle {
  return typeof value === "object" && value !== null && BRAND in value;
}

function checkId(what: string, id: unknown): void {
  const problem = idProblem(id);
  if (problem === undefined) return;
  throw new RegistrationError("bad-id", `bundle.task: ${what} id ${quote(id)} ${problem}`);
}

function idProblem(id: unknown): string | undefined {
  if (typeof id !== "string") return `is ${kindOf(id)}, expected text`;
  if (id === "") return "is empty";
  if (Array.from(id).length > MAX_ID_CHARACTERS) {
    return `has more than ${MAX_ID_CHARACTERS} characters`;
  }
  if (!ID.test(id)) return "has characters other than letters, digits, '_', '-' and '.'";
  return undefined;
}

function quote(id: unknown): string {
  return typeof id === "string" ? JSON.stringify(id.slice(0, 300)) : kindOf(id);
}

function kindOf(value: unknown): string {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : `a value of type ${typeof value}`;
}
