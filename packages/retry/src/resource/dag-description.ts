import type { Microseconds } from "../time/duration.ts";
import type { InstantInput } from "../time/instant.ts";

/**
 * A Dag as the task resource needs it: what its Python file says, not what the API answers.
 * A field that is absent or null has the default that Airflow 3.3.2 gives it (recorded from its
 * API server; the [core] options count as unset).
 */
export interface DagDescription {
  readonly dagId: string;
  /** A task never starts before it. Default: none. */
  readonly startDate?: InstantInput | null | undefined;
  /** No task ends after it. Default: none. */
  readonly endDate?: InstantInput | null | undefined;
  /** `default_args` of the Dag: hold for each task that does not say otherwise. */
  readonly defaultArgs?: TaskSettings | undefined;
  /** Every task shows them, before its own, with `source: "dag"`. */
  readonly params?: ParamsDescription | undefined;
  /** In the order in which the Dag file defines them: that breaks ties of sorting. */
  readonly tasks: readonly TaskDescription[];
}

/** Params by name. */
export type ParamsDescription = Readonly<Record<string, ParamDescription>>;

/** One param: its default, its JSON schema ({}) and its description (null). */
export interface ParamDescription {
  readonly value?: unknown;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly description?: string | null | undefined;
}

/** What `default_args` and a task can both say. */
export interface TaskSettings {
  /** Default "airflow". */
  readonly owner?: string | null | undefined;
  /** Default: that of the Dag; the later of both counts. */
  readonly startDate?: InstantInput | null | undefined;
  /** Default: that of the Dag; the earlier of both counts. */
  readonly endDate?: InstantInput | null | undefined;
  /** Default "all_success". */
  readonly triggerRule?: string | null | undefined;
  /** Default false. */
  readonly dependsOnPast?: boolean | null | undefined;
  /** Default false. */
  readonly waitForDownstream?: boolean | null | undefined;
  /** How often a failed task starts again; whole. Default 0 (`default_task_retries`). */
  readonly retries?: number | null | undefined;
  /** Default "default". */
  readonly queue?: string | null | undefined;
  /** Default "default_pool". */
  readonly pool?: string | null | undefined;
  /** At least 1. Default 1. */
  readonly poolSlots?: number | null | undefined;
  /** Default: none. */
  readonly executionTimeoutUs?: Microseconds | null | undefined;
  /** May be negative. Default 300 s (`default_task_retry_delay`). */
  readonly retryDelayUs?: Microseconds | null | undefined;
  /**
   * The multiplier. Default 0: a fixed delay. Booleans are what Dag files of before 3.2 say: true
   * is 2, false is 0. NaN and infinity pass, as they do in Airflow, and are shown as null. Text is
   * read for a mapped task only, as Python's `float()` reads it; unreadable text is shown as null.
   */
  readonly retryExponentialBackoff?: number | boolean | string | null | undefined;
  /** Whole; the nearest 32-bit integer counts, but not for mapped tasks. Default 1. */
  readonly priorityWeight?: number | null | undefined;
  /** "downstream" (default), "upstream", "absolute", or the full name of a strategy class. */
  readonly weightRule?: string | null | undefined;
  /** Markdown, shown as given. Default: none. */
  readonly docMd?: string | null | undefined;
}

/** One task. */
export interface TaskDescription extends TaskSettings {
  /** The full id, with the prefixes of its task groups. */
  readonly taskId: string;
  /** Default, also for "": the task id. */
  readonly displayName?: string | null | undefined;
  /** Default: `BaseOperator` of the SDK. */
  readonly operator?: OperatorDescription | undefined;
  /** Made by `partial(…).expand(…)` or `@task.expand`. Default false. */
  readonly isMapped?: boolean | null | undefined;
  /**
   * Ids of tasks of this Dag. Default: none. Airflow keeps a set, so the order in its answer
   * differs from one server process to the next; ours is by code point.
   */
  readonly downstreamTaskIds?: readonly string[] | undefined;
  /** Beside the Dag's; the same name replaces the Dag's value in its place. */
  readonly params?: ParamsDescription | undefined;
}

/** The Python class behind a task. */
export interface OperatorDescription {
  /** E.g. "BashOperator"; "_PythonDecoratedOperator" for `@task`. */
  readonly className: string;
  /** E.g. "airflow.providers.standard.operators.bash". */
  readonly modulePath: string | null;
  /** How it is shown, e.g. "@task". Default: the class name. */
  readonly name?: string | null | undefined;
  /** Default "#fff". */
  readonly uiColor?: string | null | undefined;
  /** Default "#000". */
  readonly uiFgcolor?: string | null | undefined;
  /** Default: none. */
  readonly templateFields?: readonly string[] | undefined;
}
