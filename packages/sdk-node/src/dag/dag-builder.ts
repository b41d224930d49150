import type { DagProgram, RegisteredTask } from "../bundle.ts";
import type { XComStorable } from "../client/xcom-value.ts";
import { buildModel } from "./build/build-model.ts";
import { declareGroup } from "./build/declare-group.ts";
import { declareTask } from "./build/declare-task.ts";
import type { DagDraft } from "./build/draft.ts";
import type { DagModel } from "./dag-model.ts";
import { registeredTasks } from "./runtime/registered-tasks.ts";
import type { DagFile, SerializedDag } from "./serialize/serialize-dag.ts";
import type {
  DagTaskArguments,
  FlowEach,
  FlowInputs,
  FlowInputValues,
  IsMapped,
  MappableNames,
  NoDeclarations,
  NodeNames,
  TaskNames,
  TaskType,
  WithTask,
} from "./types/flow-types.ts";
import type {
  BranchOptions,
  FlowTaskOptions,
  GroupOptions,
  ShortCircuitOptions,
} from "./types/options.ts";

/** A value, or one that is waited for. */
type Waited<Value> = Value | Promise<Value>;

/** The handler of a Dag's task. */
type FlowHandler<Params, Inputs extends object, Result> = (
  task: DagTaskArguments<Params, Inputs>,
) => Waited<Result>;

/** What a branch says: a name, several, or none, which skips all of them. */
type Choice<Names> = Names | readonly Names[] | null | undefined;

/**
 * A Dag that is being declared, or a group of it; made by {@link dag}. Each call adds to it and
 * returns it with a type that knows the task, so that later ones can name it.
 *
 * Nothing has changed when a call throws: RegistrationError `bad-id`, `bad-option`, `bad-handler`,
 * `duplicate-task` or `unknown-task`.
 */
export class DagBuilder<
  Tasks extends object = NoDeclarations,
  Params = NoDeclarations,
  Groups extends string = never,
  Prefix extends string = "",
> implements DagProgram
{
  readonly #draft: DagDraft;
  readonly #groupId: string | null;
  #model: DagModel | undefined;

  /** @internal */
  constructor(draft: DagDraft, groupId: string | null) {
    this.#draft = draft;
    this.#groupId = groupId;
  }

  get dagId(): string {
    return this.#draft.facts.dagId;
  }

  /**
   * Adds a task. What the handler resolves to is the task's result, which other tasks can take as
   * an input.
   */
  task<const Id extends string, Result = unknown>(
    id: Id,
    handler: FlowHandler<Params, NoDeclarations, Result & XComStorable<Result>>,
  ): DagBuilder<WithTask<Tasks, Prefix, Id, Result, false>, Params, Groups, Prefix>;
  /**
   * Adds a task with options and inputs:
   *
   *     .task("load", { inputs: { rows: "extract" }, retries: 3 }, ({ inputs }) => inputs.rows.length)
   */
  task<
    const Id extends string,
    const Inputs extends FlowInputs<TaskNames<Tasks, Prefix>> = NoDeclarations,
    const Each extends FlowEach<MappableNames<Tasks, Prefix>> = NoDeclarations,
    Result = unknown,
  >(
    id: Id,
    options: FlowTaskOptions<NodeNames<Tasks, Groups, Prefix>, Inputs, Each>,
    handler: FlowHandler<
      Params,
      FlowInputValues<Tasks, Prefix, Inputs, Each>,
      Result & XComStorable<Result>
    >,
  ): DagBuilder<WithTask<Tasks, Prefix, Id, Result, IsMapped<Each>>, Params, Groups, Prefix>;
  task(id: string, ...rest: readonly unknown[]): never {
    return this.#declare("task", id, rest);
  }

  /**
   * Adds a task that chooses which way the run goes: its handler returns the id of a task or group
   * directly behind it, or several, or null for none. The others directly behind it are skipped,
   * unless they also come behind one that was chosen.
   */
  branch<
    const Id extends string,
    const Inputs extends FlowInputs<TaskNames<Tasks, Prefix>> = NoDeclarations,
    const Choices extends string = string,
  >(
    id: Id,
    options: BranchOptions<NodeNames<Tasks, Groups, Prefix>, Inputs, Choices>,
    handler: FlowHandler<
      Params,
      FlowInputValues<Tasks, Prefix, Inputs, NoDeclarations>,
      Choice<NoInfer<Choices>>
    >,
  ): DagBuilder<
    WithTask<Tasks, Prefix, Id, string | readonly string[], false>,
    Params,
    Groups,
    Prefix
  > {
    return this.#declare("branch", id, [options, handler]);
  }

  /**
   * Adds a task that goes on or ends a way: when its handler returns `false`, or another value that
   * is false to JavaScript, what comes behind it is skipped.
   */
  shortCircuit<
    const Id extends string,
    const Inputs extends FlowInputs<TaskNames<Tasks, Prefix>> = NoDeclarations,
    Result = unknown,
  >(
    id: Id,
    options: ShortCircuitOptions<NodeNames<Tasks, Groups, Prefix>, Inputs>,
    handler: FlowHandler<
      Params,
      FlowInputValues<Tasks, Prefix, Inputs, NoDeclarations>,
      Result & XComStorable<Result>
    >,
  ): DagBuilder<WithTask<Tasks, Prefix, Id, Result, false>, Params, Groups, Prefix> {
    return this.#declare("short-circuit", id, [options, handler]);
  }

  /**
   * Adds a group, whose id stands before those of its tasks: `.group("checks", (g) => g.task("rows", …))`
   * adds the task `checks.rows`. Within the group its tasks go by their last part as well.
   */
  group<const Id extends string, InTasks extends object, InGroups extends string>(
    id: Id,
    declare: (
      group: DagBuilder<Tasks, Params, Groups, `${Prefix}${Id}.`>,
    ) => DagBuilder<InTasks, Params, InGroups, `${Prefix}${Id}.`>,
  ): DagBuilder<InTasks, Params, InGroups | `${Prefix}${Id}`, Prefix>;
  group<const Id extends string, InTasks extends object, InGroups extends string>(
    id: Id,
    options: GroupOptions<NodeNames<Tasks, Groups, Prefix>>,
    declare: (
      group: DagBuilder<Tasks, Params, Groups, `${Prefix}${Id}.`>,
    ) => DagBuilder<InTasks, Params, InGroups, `${Prefix}${Id}.`>,
  ): DagBuilder<InTasks, Params, InGroups | `${Prefix}${Id}`, Prefix>;
  group(id: string, ...rest: readonly unknown[]): never {
    const [options, declare] = rest.length < 2 ? [{}, rest[0]] : rest;
    declareGroup(this.#draft, this.#groupId, id, options, declare, (groupId) => {
      return new DagBuilder(this.#draft, groupId);
    });
    return this as never;
  }

  /**
   * The whole Dag as data. From then on nothing can be added.
   *
   * @throws RegistrationError `unknown-task`, `dependency-cycle` or `bad-option`
   */
  get model(): DagModel {
    this.#model ??= buildModel(this.#draft);
    return this.#model;
  }

  /**
   * The Dag in Airflow's own form, which 3.4 stores and loads. Nothing can be added from then on.
   *
   * @throws RegistrationError as `model` does
   */
  async serialize(file: DagFile): Promise<SerializedDag> {
    const { model } = this;
    const { serializeChecked } = await import("./serialize/serialize-checked.ts");
    return serializeChecked(model, file);
  }

  /** What a bundle registers, by task id. */
  get registered(): ReadonlyMap<string, RegisteredTask> {
    return registeredTasks(this.#draft, this.model);
  }

  #declare(kind: "task" | "branch" | "short-circuit", id: string, rest: readonly unknown[]): never {
    const [options, handler] = rest.length < 2 ? [{}, rest[0]] : rest;
    declareTask(this.#draft, this.#groupId, { kind, id, options, handler });
    return this as never;
  }
}

/**
 * A Dag whose tasks are only known when the program runs. Ids are any text then, and inputs of any
 * type: `let flow: DynamicDag = dag("tables"); for (const id of ids) flow = flow.task(id, …)`.
 */
export type DynamicDag<Params = NoDeclarations> = DagBuilder<
  { readonly [taskId: string]: TaskType<unknown, boolean> },
  Params,
  string
>;
