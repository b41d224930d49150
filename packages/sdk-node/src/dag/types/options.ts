import type { RetryPolicy } from "../../task-handler.ts";
import type { AssetExpression, DagAsset } from "../assets/asset.ts";
import type { CronPreset, TriggerRule, WeightRule } from "../dag-model.ts";
import type { FlowEach, FlowInputs, ParamDeclarations } from "./flow-types.ts";

/** Settings of a task that a whole Dag or group can have as `taskDefaults`. */
export interface TaskDefaults {
  /** @default "airflow" */
  readonly owner?: string | undefined;
  /** Further tries after the first. @default what Airflow's `default_task_retries` says, 0 */
  readonly retries?: number | undefined;
  /** How long until the next try. @default 300_000, 5 minutes */
  readonly retryDelayMs?: number | undefined;
  /**
   * By how much the delay grows from try to try: 2 doubles it, 1.5 makes it half as long again, 0
   * leaves it as it is. A number, since `true` means 2 to one part of Airflow and 1 to another.
   *
   * @default 0
   */
  readonly retryExponentialBackoff?: number | undefined;
  /** What the delay does not grow beyond. @default Airflow's `max_task_retry_delay`, 24 hours */
  readonly maxRetryDelayMs?: number | undefined;
  /** @default "default_pool" */
  readonly pool?: string | undefined;
  /** Slots of the pool that an instance takes. @default 1 */
  readonly poolSlots?: number | undefined;
  /** Airflow's workers choose the runtime by it: it has to be one of `[sdk] queue_to_coordinator`. */
  readonly queue?: string | undefined;
  /** When to start, by what has become of the tasks directly before. @default "all_success" */
  readonly triggerRule?: TriggerRule | undefined;
  /** Which of several waiting tasks is first. @default 1 */
  readonly priorityWeight?: number | undefined;
  /** @default "downstream" */
  readonly weightRule?: WeightRule | undefined;
  /** A try that takes longer is ended, and has failed. At most 24 days. @default none */
  readonly executionTimeoutMs?: number | undefined;
  /** Wait until the task has succeeded, or was skipped, in the run before. @default false */
  readonly dependsOnPast?: boolean | undefined;
  /** The first run does not look for one before it. @default true */
  readonly ignoreFirstDependsOnPast?: boolean | undefined;
  /** Wait until the tasks directly behind it are through in the run before. @default false */
  readonly waitForDownstream?: boolean | undefined;
  /** Instances at the same time, over all runs. @default no limit */
  readonly maxActiveTisPerDag?: number | undefined;
  /** Instances at the same time in one run: of a mapped task. @default no limit */
  readonly maxActiveTisPerDagrun?: number | undefined;
}

/** What every kind of task has. */
export interface CommonTaskOptions<Nodes extends string, Inputs> extends TaskDefaults {
  /** Tasks and groups that come directly before; those of `inputs` and `forEach` do anyway. */
  readonly after?: Nodes | readonly Nodes[] | undefined;
  /** Tasks and groups, declared earlier, that come directly behind. */
  readonly before?: Nodes | readonly Nodes[] | undefined;
  /** What the handler gets as `inputs`, by name. A text is the task whose result it is. */
  readonly inputs?: Inputs | undefined;
  readonly inlets?: readonly DagAsset[] | undefined;
  /** Each gets an event when the task has succeeded. */
  readonly outlets?: readonly DagAsset[] | undefined;
  /** Markdown for the task's page. */
  readonly doc?: string | undefined;
  /** @default the id */
  readonly displayName?: string | undefined;
  /** Says what comes after a failure that is no `TaskError`. */
  readonly retryPolicy?: RetryPolicy | undefined;
}

/** Options of `.task`. */
export interface FlowTaskOptions<
  Nodes extends string,
  Inputs = FlowInputs<string>,
  Each = FlowEach<string>,
> extends CommonTaskOptions<Nodes, Inputs> {
  /**
   * Maps the task: it is run once for each element of a list, or entry of a map, and gets it as the
   * input of that name. With more than one name: for each combination, the last name changes first.
   */
  readonly forEach?: Each | undefined;
  /** The result is an object whose values are stored under their keys too. @default false */
  readonly multipleOutputs?: boolean | undefined;
}

/** Options of `.branch`. */
export interface BranchOptions<Nodes extends string, Inputs, Choices extends string>
  extends CommonTaskOptions<Nodes, Inputs> {
  /**
   * The tasks and groups to choose from. They come directly behind the branch and may be declared
   * later. @default whatever is declared with `after` this branch
   */
  readonly choices?: readonly Choices[] | undefined;
}

/** Options of `.shortCircuit`. */
export interface ShortCircuitOptions<Nodes extends string, Inputs>
  extends CommonTaskOptions<Nodes, Inputs> {
  /**
   * True: everything behind it is skipped, whatever its trigger rule. False: only what is directly
   * behind it, and the rest goes by its trigger rules. @default true
   */
  readonly ignoreDownstreamTriggerRules?: boolean | undefined;
}

/** Options of `.group`. */
export interface GroupOptions<Nodes extends string> {
  /** What comes before the first tasks of the group. */
  readonly after?: Nodes | readonly Nodes[] | undefined;
  /** What was declared earlier and comes behind the last tasks of the group. */
  readonly before?: Nodes | readonly Nodes[] | undefined;
  readonly displayName?: string | undefined;
  readonly tooltip?: string | undefined;
  /** Settings of its tasks that do not say otherwise, over those of the Dag. */
  readonly taskDefaults?: TaskDefaults | undefined;
}

/** When runs are started: a cron text or preset, a period, assets, or null for by hand only. */
export type Schedule =
  | null
  | CronPreset
  | "@once"
  | "@continuous"
  | (string & Record<never, never>)
  | { readonly everyMs: number }
  | AssetExpression
  /** All of them. */
  | readonly AssetExpression[];

/** Options of `dag()`. */
export interface DagOptions<Params extends ParamDeclarations = ParamDeclarations> {
  /** @default null: by hand only */
  readonly schedule?: Schedule | undefined;
  /** @default none */
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Zone of cron texts, for example `Europe/Berlin`. @default "UTC" */
  readonly timezone?: string | undefined;
  /** Run what was missed since the start date. @default what Airflow's `catchup_by_default` says, false */
  readonly catchup?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Markdown for the Dag's page. */
  readonly doc?: string | undefined;
  readonly params?: Params | undefined;
  /** Runs at the same time. @default Airflow's `max_active_runs_per_dag`, 16 */
  readonly maxActiveRuns?: number | undefined;
  /** Task instances at the same time, in each run. @default Airflow's `max_active_tasks_per_dag`, 16 */
  readonly maxActiveTasks?: number | undefined;
  /** Failed runs in a row after which the Dag is paused. @default 0: it is not */
  readonly maxConsecutiveFailedRuns?: number | undefined;
  /** A run that takes longer has failed. @default none */
  readonly dagrunTimeoutMs?: number | undefined;
  /** The first task that fails ends the run. Then every trigger rule must be `all_success`. @default false */
  readonly failFast?: boolean | undefined;
  /** @default what Airflow's `dags_are_paused_at_creation` says, true */
  readonly isPausedUponCreation?: boolean | undefined;
  /** Where a click on an owner leads to: URLs or `mailto:` addresses. */
  readonly ownerLinks?: { readonly [owner: string]: string } | undefined;
  /** Settings of tasks that do not say otherwise: `default_args` in Python. */
  readonly taskDefaults?: TaskDefaults | undefined;
}
