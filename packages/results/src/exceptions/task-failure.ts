import { inspect } from "node:util";
import { isPythonValue } from "../values/python-value.ts";

/** The largest part of an argument that goes into a message. */
const MOST_SHOWN = 1000;

/** What a {@link TaskFailure} says about a Python exception. */
export interface TaskFailureFacts {
  /** Qualified name of the class: `ValueError`, `Outer.Inner`. */
  readonly type: string;
  /** Its module, such as `builtins` or `myproj.errors`; `null` where none was stored. */
  readonly module?: string | null | undefined;
  /** The exception's arguments; usually one text. Default: none. */
  readonly args?: readonly unknown[] | undefined;
}

/**
 * A Python exception as data: what a task raised, as it was stored. Reading one never imports a
 * module and never runs code, whatever names the row holds. Store one to choose what Celery
 * raises: `new TaskFailure({ type: "ValueError", module: "builtins", args: ["bad value"] })`.
 */
export class TaskFailure extends Error {
  /** Qualified name of the Python class. */
  readonly type: string;
  /** Its module, or `null` where the row names none. */
  readonly module: string | null;
  /** The exception's arguments. */
  readonly args: readonly unknown[];

  /**
   * @throws TypeError for a type or module that Celery could not make a class of: empty, not text,
   *   with a NUL or a lone surrogate in it
   */
  constructor(facts: TaskFailureFacts, options?: ErrorOptions) {
    const { type, module = null, args = [] } = facts;
    if (!isName(type) || (module !== null && !isName(module)) || !Array.isArray(args)) {
      throw new TypeError(
        "new TaskFailure(…): expected a class name, a module name or null, and an array of args",
      );
    }
    super(describe(type, args), options);
    this.type = type;
    this.module = module;
    this.args = args;
  }
}

Object.defineProperty(TaskFailure.prototype, "name", { value: "TaskFailure" });

/** Whether Python can name a class or a module so: some text, no NUL, whole characters only. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/[\0\p{Surrogate}]/u.test(value);
}

/** An argument as text for people, as Node's `inspect` shows it; at most about a thousand characters. */
export function argumentText(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? value : isPythonValue(value) ? `${value}` : shown(value);
  } catch {
    text = Object.prototype.toString.call(value); // an inspection of its own that throws
  }
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function shown(value: unknown): string {
  return inspect(value, {
    breakLength: Number.POSITIVE_INFINITY,
    compact: true,
    customInspect: false,
    depth: 3,
    maxArrayLength: 20,
    maxStringLength: MOST_SHOWN,
  });
}

function describe(type: string, args: readonly unknown[]): string {
  return args.length === 0 ? type : `${type}: ${args.map(argumentText).join(", ")}`;
}
