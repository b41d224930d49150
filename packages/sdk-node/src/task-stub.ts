import type { InputDeclarations, InputValues } from "./inputs/input.ts";
import type { TaskHandler, TaskOptions } from "./task-handler.ts";

/**
 * What a Python Dag says of one `@task.stub`, to register a handler for it: `parlance types` writes
 * one for each. A handler of another type does not compile.
 */
export class TaskStub<Inputs extends InputDeclarations = Record<never, never>, Result = unknown> {
  /** Of what type the result is; only there for the compiler. */
  declare readonly result: Result;
  readonly dagId: string;
  readonly taskId: string;
  readonly inputs: Inputs;
  /** What the Dag says that a program has to be told. */
  readonly options: TaskOptions;

  constructor(dagId: string, taskId: string, inputs: Inputs, options: TaskOptions = {}) {
    this.dagId = dagId;
    this.taskId = taskId;
    this.inputs = inputs;
    this.options = options;
  }
}

/** The handler of a stub. */
export type StubHandler<Stub extends TaskStub<InputDeclarations>> = TaskHandler<
  Stub["result"],
  InputValues<Stub["inputs"]>
>;
