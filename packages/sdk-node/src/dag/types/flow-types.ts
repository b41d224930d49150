import type { JsonValue, XComValue } from "../../client/xcom-value.ts";
import type { Input } from "../../inputs/input.ts";
import type { TaskArguments } from "../../task-handler.ts";
import type { DagAsset } from "../assets/asset.ts";
import type { Param } from "../params/param.ts";

/** What the compiler knows of a task that is declared: its handler's result, and whether it is mapped. */
export interface TaskType<Result = unknown, IsMapped extends boolean = boolean> {
  readonly result: Result;
  readonly isMapped: IsMapped;
}

/** The tasks declared so far, by full id. */
export interface TaskTypes {
  readonly [taskId: string]: TaskType;
}

/** No tasks yet, no inputs, no params. */
export type NoDeclarations = Record<never, never>;

/** Names that need no prefix within a group: of `checks.rows` in the group `checks` it is `rows`. */
type LocalName<Full, Prefix extends string> = Prefix extends ""
  ? never
  : Full extends `${Prefix}${infer Name}`
    ? Name
    : never;

/** How tasks may be named where the ids begin with `Prefix`: by full id, in a group by its last part too. */
export type TaskNames<Tasks, Prefix extends string> =
  | (keyof Tasks & string)
  | LocalName<keyof Tasks, Prefix>;

/** The same of tasks and groups. */
export type NodeNames<Tasks, Groups extends string, Prefix extends string> =
  | TaskNames<Tasks, Prefix>
  | Groups
  | LocalName<Groups, Prefix>;

/** Full ids of tasks that a task can be mapped over: their result is, or may be, a list or a map. */
type MappableIds<Tasks> = {
  [Id in keyof Tasks]: Tasks[Id] extends TaskType<unknown, true>
    ? Id
    : Tasks[Id] extends TaskType<infer Result>
      ? NotVoid<Result> extends string | number | boolean | bigint | Date
        ? never
        : Id
      : never;
}[keyof Tasks];

/** Names of those. */
export type MappableNames<Tasks, Prefix extends string> =
  | (MappableIds<Tasks> & string)
  | LocalName<MappableIds<Tasks>, Prefix>;

/** What was declared under a name; the group's own tasks come first. */
type Named<
  Tasks,
  Prefix extends string,
  Name extends string,
> = `${Prefix}${Name}` extends keyof Tasks
  ? Tasks[`${Prefix}${Name}`]
  : Name extends keyof Tasks
    ? Tasks[Name]
    : TaskType<unknown, false>;

/** What another task gets of a task: what it stored, of a mapped one the list of that. */
type StoredBy<Task> =
  Task extends TaskType<infer Result, infer IsMapped>
    ? IsMapped extends true
      ? readonly Stored<Result>[]
      : Stored<Result>
    : never;

/** `undefined` and `null` are not stored. */
type Stored<Result> = unknown extends Result ? unknown : NonNullable<NotVoid<Result>>;

type NotVoid<Result> = Result extends void ? never : Result;

/** What an instance of a task that is mapped over it gets: of a list an item, of a map an entry. */
type ElementOf<Whole> = unknown extends Whole
  ? unknown
  : Whole extends readonly (infer Item)[]
    ? Item
    : Whole extends object
      ? readonly [key: string, value: Whole[keyof Whole]]
      : unknown;

/** A task's inputs: the name of the task whose result it is, or `fromTask`, `fromConf` or `literal`. */
export interface FlowInputs<Names extends string> {
  readonly [name: string]: Names | (Input & { readonly fromTaskId?: Names });
}

/** What a task is mapped over: the name of a task, or the list (or map) itself. */
export interface FlowEach<Names extends string> {
  readonly [name: string]: Names | readonly JsonValue[] | { readonly [key: string]: JsonValue };
}

/** Of what type an input is. */
type FlowInputValue<Tasks, Prefix extends string, Declared> = Declared extends string
  ? StoredBy<Named<Tasks, Prefix, Declared>>
  : Declared extends Input<infer Value>
    ? [TaskIdOf<Declared>] extends [never]
      ? Value // its type was written, or it comes from elsewhere
      : "hasOwnType" extends keyof Declared
        ? Value
        :
            | StoredBy<Named<Tasks, Prefix, TaskIdOf<Declared>>>
            | (XComValue extends Value ? never : Value) // that of the default
    : never;

/** The task that `fromTask("…")` names; never, where its type was written: `fromTask<Row[]>("…")`. */
type TaskIdOf<Declared> = Declared extends { readonly fromTaskId?: infer Id }
  ? unknown extends Id
    ? never
    : Extract<Id, string>
  : never;

/** What the handler gets as `inputs`. */
export type FlowInputValues<Tasks, Prefix extends string, Inputs, Each> = {
  readonly [Name in keyof Inputs]: FlowInputValue<Tasks, Prefix, Inputs[Name]>;
} & {
  readonly [Name in keyof Each]: Each[Name] extends string
    ? ElementOf<StoredBy<Named<Tasks, Prefix, Each[Name]>>>
    : ElementOf<Each[Name]>;
};

/** The params of a Dag, by name. */
export interface ParamDeclarations {
  readonly [name: string]: Param;
}

/** Their values. */
export type ParamValues<Params> = {
  readonly [Name in keyof Params]: Params[Name] extends Param<infer Value> ? Value : never;
};

/** What a handler of a Dag's task is called with. */
export interface DagTaskArguments<Params, Inputs extends object> extends TaskArguments<Inputs> {
  /** The Dag's params: what the run was started with, else their defaults. Checked. */
  readonly params: ParamValues<Params>;
  /** The assets that the task reads, as it was declared. */
  readonly inlets: readonly DagAsset[];
  /**
   * The assets that the task writes. Each gets an event when the task has succeeded; with
   * `client.assets.emit(asset, { extra })` the event is given an extra.
   */
  readonly outlets: readonly DagAsset[];
}

/** One more task. Written out as one object, for those who read the type. */
export type WithTask<
  Tasks,
  Prefix extends string,
  Id extends string,
  Result,
  IsMapped extends boolean,
> = WrittenOut<Tasks & { readonly [Full in `${Prefix}${Id}`]: TaskType<Result, IsMapped> }>;

type WrittenOut<Type> = { readonly [Name in keyof Type]: Type[Name] } & {};

/** Whether something was declared under `forEach`. */
export type IsMapped<Each> = [keyof Each] extends [never] ? false : true;
