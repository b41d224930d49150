import type { XComStorable } from "./client/xcom-value.ts";
import type { DagModel } from "./dag/dag-model.ts";
import type { DagFile, SerializedDag } from "./dag/serialize/serialize-dag.ts";
import { RegistrationError } from "./errors.ts";
import type { FlowTask } from "./flow-task.ts";
import { checkInputs } from "./inputs/check-inputs.ts";
import type { InputDeclarations, InputValues } from "./inputs/input.ts";
import type { NoInputs, TaskArguments, TaskHandler, TaskOptions } from "./task-handler.ts";
import { checkTaskOptions } from "./task-options.ts";
import { TaskStub } from "./task-stub.ts";

/** Airflow's own limit of Dag and task ids, in characters. */
const MAX_ID_CHARACTERS = 250;
/** Airflow allows letters and digits of any script, and `_ . -`; a task id's dots name its groups. */
const ID = /^[\p{L}\p{N}_.-]+$/u;

const BRAND = Symbol.for("parlance.sdk-node.bundle");

/** What a task is registered with besides its handler. */
export interface TaskRegistrationOptions<Inputs extends InputDeclarations = InputDeclarations>
  extends TaskOptions {
  /** What the handler gets as `inputs`, by name: see `fromTask`, `eachOf`, `fromConf` and `literal`. */
  readonly inputs?: Inputs | undefined;
}

/** A registered task. */
export interface RegisteredTask {
  readonly handler: TaskHandler<unknown, object>;
  readonly options: TaskOptions;
  readonly inputs: InputDeclarations;
  /** @internal Of a task of a whole Dag. */
  readonly flow?: FlowTask | undefined;
}

/** A whole Dag, as `dag()` makes it. */
export interface DagProgram {
  readonly dagId: string;
  /** The Dag as data. Nothing can be added to it from then on. */
  readonly model: DagModel;
  /** Its tasks by id. */
  readonly registered: ReadonlyMap<string, RegisteredTask>;
  /** The Dag in Airflow's own form; what that takes is loaded by the first call. */
  serialize(file: DagFile): Promise<SerializedDag>;
}

/** A handler whose result an XCom can hold; what cannot be held is told at its place. */
export type StorableHandler<Result, Inputs extends object> = (
  task: TaskArguments<Inputs>,
) => (Result & XComStorable<Result>) | Promise<Result & XComStorable<Result>>;

/** The tasks of one program: a handler for each Dag and task id. */
export class Bundle {
  readonly #dags = new Map<string, Map<string, RegisteredTask>>();
  readonly #programs: DagProgram[] = [];

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
   * @returns this bundle
   * @throws RegistrationError `bad-id`, `bad-option`, `bad-handler` or `duplicate-task`; nothing has
   * changed then
   */
  task<Result = unknown>(
    dagId: string,
    taskId: string,
    handler: StorableHandler<Result, NoInputs>,
  ): this;
  /**
   * Registers a task with options, and with inputs that are there when its handler is called:
   *
   *     bundle.task("sales", "total", { inputs: { rows: fromTask<Row[]>("extract") } },
   *       ({ inputs }) => inputs.rows.length);
   *
   * On Airflow 3.4, in a program packed for schema version 2026-10-30, an argument that the Python Dag
   * passes to the parameter of that name wins over what is declared here.
   */
  task<Inputs extends InputDeclarations, Result = unknown>(
    dagId: string,
    taskId: string,
    options: TaskRegistrationOptions<Inputs>,
    handler: StorableHandler<Result, InputValues<Inputs>>,
  ): this;
  /** Registers the handler of a stub that `parlance types` has written down. */
  task<Inputs extends InputDeclarations, Result, const Returned extends Result>(
    stub: TaskStub<Inputs, Result>,
    handler: TaskHandler<Returned, InputValues<Inputs>>,
  ): this;
  /** The same with options; they are added to those of the stub. */
  task<Inputs extends InputDeclarations, Result, const Returned extends Result>(
    stub: TaskStub<Inputs, Result>,
    options: TaskOptions,
    handler: TaskHandler<Returned, InputValues<Inputs>>,
  ): this;
  task(first: unknown, ...others: readonly unknown[]): this {
    if (first instanceof TaskStub) {
      const { dagId, taskId, inputs, options } = first;
      const [more, handler] = others.length < 2 ? [{}, others[0]] : others;
      return this.#register(dagId, taskId, [{ ...options, ...(more as object), inputs }, handler]);
    }
    const [second, ...rest] = others;
    return this.#register(first as string, second as string, rest);
  }

  /**
   * Adds a whole Dag that was declared with `dag()`.
   *
   * @throws RegistrationError `duplicate-task` when the bundle has tasks of that Dag already, or what
   * the Dag's `model` throws
   */
  add(dag: DagProgram): this {
    const { dagId, registered } = dag ?? {};
    if (!(registered instanceof Map)) {
      const message = `bundle.add(…) got ${kindOf(dag)}, expected dag("id", …) with its tasks`;
      throw new RegistrationError("bad-bundle", message);
    }
    if (this.#dags.has(dagId)) throw twice(dagId);
    this.#dags.set(dagId, registered);
    this.#programs.push(dag);
    return this;
  }

  /** The whole Dags among those of the bundle, in order of registration. */
  get dags(): readonly DagProgram[] {
    return this.#programs;
  }

  #register(dagId: string, taskId: string, rest: readonly unknown[]): this {
    checkId("Dag", dagId);
    checkId("task", taskId);
    const where = `bundle.task(${quote(dagId)}, ${quote(taskId)}, …)`;
    const [options, handler] = rest.length < 2 ? [{}, rest[0]] : rest;
    if (typeof handler !== "function") {
      const message = `${where} got ${kindOf(handler)} as handler, expected a function`;
      throw new RegistrationError("bad-handler", message);
    }
    const { inputs = {}, ...others } = { ...(options as TaskRegistrationOptions) };
    const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
    const checked = checkTaskOptions(isObject ? others : options, quote(dagId), quote(taskId));
    checkInputs(inputs, where);
    if (this.getTask(dagId, taskId) !== undefined) {
      const message = `${where}: this task has a handler already; give the other one its own task id`;
      throw new RegistrationError("duplicate-task", message);
    }
    if (this.#programs.some((dag) => dag.dagId === dagId)) throw twice(dagId);
    const tasks = this.#dags.get(dagId) ?? new Map<string, RegisteredTask>();
    tasks.set(taskId, { handler: handler as RegisteredTask["handler"], options: checked, inputs });
    this.#dags.set(dagId, tasks);
    return this;
  }

  /** The handler of a task, to call it in a test; undefined when there is none. */
  getHandler(dagId: string, taskId: string): TaskHandler<unknown, object> | undefined {
    return this.getTask(dagId, taskId)?.handler;
  }

  /** A task's handler with what it was registered with; undefined when there is none. */
  getTask(dagId: string, taskId: string): RegisteredTask | undefined {
    return this.#dags.get(dagId)?.get(taskId);
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

/** What `serve` takes: tasks of stubs, a whole Dag, or several. */
export type Program = Bundle | DagProgram | readonly (DagProgram | (() => DagProgram))[];

/**
 * The bundle of what `serve` was given.
 *
 * @param onFault - hears of a Dag that cannot be added, and the others are; the default throws it
 */
export function toBundle(program: Program, onFault: (error: unknown) => void = rethrow): Bundle {
  if (isBundle(program)) return program;
  const bundle = new Bundle();
  const dags = (Array.isArray(program) ? program : [program]) as readonly unknown[];
  for (const dag of dags) {
    try {
      bundle.add((typeof dag === "function" ? dag() : dag) as DagProgram);
    } catch (error) {
      onFault(error);
    }
  }
  return bundle;
}

function rethrow(error: unknown): never {
  throw error;
}

function twice(dagId: string): RegistrationError {
  const message = `bundle: the Dag ${quote(dagId)} is declared twice, by dag(…) and by bundle.task(…) or dag(…) again; declare all of its tasks in one place`;
  return new RegistrationError("duplicate-task", message);
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
