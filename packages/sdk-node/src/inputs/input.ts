import type { TaskClient } from "../client/task-client.ts";
import type { XComValue } from "../client/xcom-value.ts";
import type { TaskContext } from "../context.ts";

const BRAND: unique symbol = Symbol.for("parlance.sdk-node.input") as never;

/** Where an input comes from when the Python Dag binds no argument to it. */
export type InputSource =
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly key: string | undefined;
      readonly dagId: string | undefined;
      readonly runId: string | undefined;
      readonly mapIndex: number | null;
      readonly includePriorDates: boolean;
    }
  | { readonly kind: "each"; readonly taskId: string; readonly key: string | undefined }
  | { readonly kind: "each-of-list"; readonly list: readonly unknown[] }
  | { readonly kind: "argument" }
  | { readonly kind: "conf"; readonly key: string }
  | { readonly kind: "literal"; readonly value: unknown }
  /** What a whole Dag knows of its tasks: the list of a mapped one, or an element of several lists. */
  | { readonly kind: "computed"; readonly compute: (parts: ComputeParts) => Promise<unknown> };

/** What an input is computed with. */
export interface ComputeParts {
  readonly client: TaskClient;
  readonly context: TaskContext;
}

/** What every kind of input may say about itself. */
export interface InputOptions<Value> {
  /**
   * Name of the parameter in Python. Left out, it is the input's own name; failing that the same
   * in snake case: `userId` takes `user_id`.
   */
  readonly argument?: string | undefined;
  /**
   * Checks and shapes the value before the handler is called, for example `z.array(Row).parse`;
   * what it throws fails the task as an InputError `input-rejected`.
   */
  readonly parse?: ((value: unknown) => Value) | undefined;
}

/** An input of a task; see {@link fromTask}, {@link eachOf}, {@link fromConf}, {@link literal}. */
export class Input<out Value = unknown> {
  /** Of what type the handler gets it; only there for the compiler. */
  declare readonly value: Value;
  /** @internal */
  readonly source: InputSource;
  /** Name of the parameter in Python, when one was given. */
  readonly argument: string | undefined;
  /** @internal */
  readonly parse: ((value: unknown) => unknown) | undefined;
  /** @internal The value when the source has none; null when there is no default. */
  readonly fallback: { readonly value: unknown } | null;

  /** @internal */
  constructor(
    source: InputSource,
    options: InputOptions<unknown> & { readonly default?: unknown } = {},
  ) {
    this.source = source;
    this.argument = options.argument;
    this.parse = options.parse;
    this.fallback = options.default === undefined ? null : { value: options.default };
  }
}

Object.defineProperty(Input.prototype, BRAND, { value: true });

/** True for an {@link Input}, also one made by another copy of this package. */
export function isInput(value: unknown): value is Input {
  return (
    typeof value === "object" && value !== null && (value as { [BRAND]?: true })[BRAND] === true
  );
}

/** Inputs by the names that the handler knows them by. */
export interface InputDeclarations {
  readonly [name: string]: Input;
}

/** What a handler gets for its declarations. */
export type InputValues<Declarations extends InputDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends Input<infer Value>
    ? Value
    : never;
};

/** Which XCom of which task an input is. */
export interface FromTaskOptions<Value> extends InputOptions<Value> {
  /** @default "return_value" */
  readonly key?: string | undefined;
  /** @default the task's own Dag */
  readonly dagId?: string | undefined;
  /** @default the task's own run */
  readonly runId?: string | undefined;
  /** Instance of a mapped task. @default null, a task that is not mapped */
  readonly mapIndex?: number | null | undefined;
  /** Look at earlier runs too. @default false */
  readonly includePriorDates?: boolean | undefined;
  /** The value when that task stored none. Without one the task fails. */
  readonly default?: Value | undefined;
}

/** An input that is what a task of another Dag returned, or stored under a key. */
export function fromTask<Value = XComValue>(
  taskId: string,
  options: FromTaskOptions<Value> & { readonly dagId: string },
): Input<Value>;
/** An input that is what another task stored under a key, or that is checked and shaped by `parse`. */
export function fromTask<Value = XComValue, const Id extends string = never>(
  taskId: Id | string,
  options: FromTaskOptions<Value> &
    ({ readonly parse: (value: unknown) => Value } | { readonly key: string }),
): Input<Value> & { readonly fromTaskId?: Id; readonly hasOwnType?: true };
/**
 * An input that is what another task returned (or stored under a key). Write the type that it has:
 * `fromTask<Row[]>("extract")`, or let `parse` tell it. In a `dag(…)` the task's handler tells it.
 *
 * A task that stored nothing fails this one with an InputError `input-missing`, unless there is a
 * `default`; a stored null arrives as null.
 *
 * @param taskId - full id of that task, with its groups
 */
export function fromTask<Value = XComValue, const Id extends string = never>(
  taskId: Id | string,
  options?: FromTaskOptions<Value>,
): Input<Value> & { readonly fromTaskId?: Id };
export function fromTask<Value>(
  taskId: string,
  options: FromTaskOptions<Value> = {},
): Input<Value> {
  const { key, dagId, runId, mapIndex = null, includePriorDates = false } = options;
  return new Input<Value>(
    { kind: "task", taskId, key, dagId, runId, mapIndex, includePriorDates },
    options,
  );
}

/**
 * The element that belongs to this instance of a mapped task: Airflow tells a stub neither what it
 * was expanded over nor its element, so the task looks it up.
 *
 * For `stub.expand(x=upstream())`: the element of the list that `upstream` returned, at this
 * instance's own map index (of a map, its entries as `[key, value]`); when `upstream` is mapped
 * itself, the value of its instance of that place. For `stub.expand(x=[1, 2])` give the list. For more
 * than one expanded parameter read the lists with {@link fromTask} and use `context.mapIndex`.
 *
 * @param from - full id of the task that the list comes from, or the list
 */
export function eachOf<Value = XComValue>(
  from: string | readonly Value[],
  options: InputOptions<Value> & { readonly key?: string | undefined } = {},
): Input<Value> {
  const source =
    typeof from === "string"
      ? ({ kind: "each", taskId: from, key: options.key } as const)
      : ({ kind: "each-of-list", list: from } as const);
  return new Input<Value>(source, options);
}

/**
 * An input that only the Python Dag can tell, by an argument of that name. It needs Airflow 3.4 and a
 * program packed with schema version 2026-10-30; anywhere else the task fails with an InputError
 * `input-missing`, unless there is a `default`.
 */
export function fromArgument<Value = XComValue>(
  options: InputOptions<Value> & { readonly default?: Value | undefined } = {},
): Input<Value> {
  return new Input<Value>({ kind: "argument" }, options);
}

/**
 * A value from the run's `conf`, what it was triggered with.
 *
 * @param key - its key there; one that is absent takes the `default`, or fails the task
 */
export function fromConf<Value = XComValue>(
  key: string,
  options: InputOptions<Value> & { readonly default?: Value | undefined } = {},
): Input<Value> {
  return new Input<Value>({ kind: "conf", key }, options);
}

/** A value that is written in the program, as the default of a Python parameter is. */
export function literal<Value>(value: Value, options: InputOptions<Value> = {}): Input<Value> {
  return new Input<Value>({ kind: "literal", value }, options);
}
