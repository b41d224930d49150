import type { TaskClient } from "./client/task-client.ts";
import type { TaskContext } from "./context.ts";
import type { Logger } from "./logs/logger.ts";
import type { Resumption } from "./outcomes/resumption.ts";

/** The inputs of a task that declares none. */
export type NoInputs = { readonly [name: string]: never };

/** What a handler is called with. */
export interface TaskArguments<Inputs extends object = NoInputs> {
  /** Which task, run and try this is. */
  readonly context: TaskContext;
  /** Reads and writes Variables, Connections and XComs. */
  readonly client: TaskClient;
  /** Writes to the task's log. */
  readonly log: Logger;
  /**
   * Aborts when the task is to end early: on SIGTERM or SIGINT, at its execution timeout, or when
   * the supervisor has gone. The handler then has about 3 s to clean up; its result no longer counts.
   */
  readonly signal: AbortSignal;
  /** What the task was registered to get; empty when it declares no inputs. */
  readonly inputs: Inputs;
  /**
   * Has something done when the task is ended before the handler is through, for example the job
   * cancelled that it waits for. Called at most once, last one first, in the handler's 3 s.
   */
  readonly onKill: (callback: KillCallback) => void;
  /** Why the handler is called again after `defer` or `awaitInput`; null the first time. */
  readonly resumed: Resumption | null;
}

/** Cleans up after a handler that was ended. @param reason - of the aborted `signal` */
export type KillCallback = (reason: unknown) => unknown;

/**
 * The code of one task.
 *
 * @returns the task's result, a value that an XCom can hold; `undefined` and `null` mean none
 * @throws anything to fail the task; Airflow retries it when retries are left, unless a `TaskError`
 * says otherwise. `skip`, `reschedule`, `defer` and `awaitInput` end it in another way.
 */
export type TaskHandler<Result = unknown, Inputs extends object = NoInputs> = (
  task: TaskArguments<Inputs>,
) => Result | Promise<Result>;

/** How one task is run, besides its handler. */
export interface TaskOptions {
  /**
   * The handler is ended and the try has failed after this long. Airflow's own `execution_timeout`
   * is not told to a program of another language, so it has to be said here. On 3.4 (schema
   * 2026-10-30) the supervisor is told too and ends a process that is busy in a loop; before, the
   * process kills itself then. At most 24 days. @default none
   */
  readonly executionTimeoutMs?: number | undefined;
  /** Tasks in Python are expanded over the result (`.expand(x=this())`): it is a list or a map. @default false */
  readonly mapsDownstream?: boolean | undefined;
  /**
   * The result is an object whose values are stored under their keys too, as `multiple_outputs=True`
   * does in Python: for tasks that take one of them, `this()["key"]`. @default false
   */
  readonly multipleOutputs?: boolean | undefined;
  /**
   * Says what comes after a failure that is no `TaskError`. Undefined, or an error of its own: what
   * the Dag says. Not asked when no retry is left.
   */
  readonly retryPolicy?: RetryPolicy | undefined;
}

/** See {@link TaskOptions.retryPolicy}. */
export type RetryPolicy = (error: unknown, context: TaskContext) => RetryDecision | undefined;

/** What comes after a failure. */
export interface RetryDecision {
  /** False: failed for good. @default true */
  readonly retry?: boolean | undefined;
  /** How long until the next try. @default what the Dag says */
  readonly retryAfterMs?: number | undefined;
  /** Kept by Airflow as the reason. @default the error's text */
  readonly retryReason?: string | undefined;
}

/** What a handler returns, for the input of another task: `fromTask<ResultOf<typeof extract>>("extract")`. */
export type ResultOf<Handler extends (...args: never) => unknown> = Awaited<ReturnType<Handler>>;
