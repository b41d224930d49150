import { findCurrentTask } from "./current-task.ts";

/** Ends a task without success and without failure; what each kind does is said where it is made. */
export type OutcomeFacts = SkipFacts | RescheduleFacts | DeferFacts | AwaitInputFacts;

/** What `skip(…)` was called with. */
export interface SkipFacts {
  readonly kind: "skip";
  readonly reason: string | null;
}

/** What `reschedule(…)` was called with. */
export interface RescheduleFacts {
  readonly kind: "reschedule";
  readonly at: Date;
}

/** What `defer(…)` was called with. */
export interface DeferFacts {
  readonly kind: "defer";
  readonly classpath: string;
  readonly triggerKwargs: { readonly [name: string]: unknown };
  readonly timeoutMs: number | null;
  readonly queue: string | null;
  readonly resumeMethod: string;
  readonly kwargs: { readonly [name: string]: unknown };
}

/** What `awaitInput(…)` was called with. */
export interface AwaitInputFacts {
  readonly kind: "await-input";
  readonly subject: string;
  readonly body: string | null;
  readonly options: readonly string[];
  readonly defaults: readonly string[] | null;
  readonly multiple: boolean;
  readonly params: { readonly [name: string]: InputField };
  readonly assignees: readonly Assignee[];
  readonly timeoutMs: number | null;
  readonly resumeMethod: string;
  readonly kwargs: { readonly [name: string]: unknown };
}

/** One field of the form that a person fills in. */
export interface InputField {
  /** What the field holds at first. */
  readonly value?: unknown;
  readonly description?: string | undefined;
  /** JSON schema of the field, for example `{ type: "integer", minimum: 1 }`. */
  readonly schema?: { readonly [keyword: string]: unknown } | undefined;
}

/** A user who may answer. */
export interface Assignee {
  /** As Airflow's auth manager knows the user. */
  readonly id: string;
  readonly name: string;
}

const BRAND = Symbol.for("parlance.sdk-node.task-outcome");

/**
 * What `skip`, `reschedule`, `defer` and `awaitInput` throw: it ends the handler, and the task in
 * that state. It is an Error so that `finally` blocks run and a stack tells where it came from; a
 * handler that catches everything must throw it on.
 */
export class TaskOutcome extends Error {
  readonly facts: OutcomeFacts;

  constructor(facts: OutcomeFacts, message: string) {
    super(message);
    this.facts = facts;
    Object.defineProperty(this, BRAND, { value: true });
    const task = findCurrentTask();
    if (task !== undefined) task.lastOutcome = this;
  }
}

Object.defineProperty(TaskOutcome.prototype, "name", { value: "TaskOutcome" });

/** Whether something thrown is a {@link TaskOutcome}, also one of another copy of this package. */
export function isTaskOutcome(thrown: unknown): thrown is TaskOutcome {
  return typeof thrown === "object" && thrown !== null && BRAND in thrown;
}
