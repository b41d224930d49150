// A whole Dag as plain data: what the builder of dag.ts makes, and what the serialiser, the stubs in
// Python and the task's own process read. Everything is checked and resolved; null means "not said".

import type { JsonValue } from "../client/xcom-value.ts";

/** A Dag with its tasks. */
export interface DagModel {
  readonly dagId: string;
  readonly displayName: string | null;
  readonly description: string | null;
  /** Markdown (`doc_md` in Python). */
  readonly doc: string | null;
  readonly schedule: ScheduleModel;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  /** Name of the IANA zone that cron texts are read in. */
  readonly timezone: string;
  readonly catchup: boolean | null;
  /** Sorted, each once. */
  readonly tags: readonly string[];
  /** In order of declaration. */
  readonly params: readonly ParamModel[];
  readonly maxActiveTasks: number | null;
  readonly maxActiveRuns: number | null;
  readonly maxConsecutiveFailedRuns: number | null;
  readonly dagrunTimeoutMs: number | null;
  readonly failFast: boolean;
  readonly isPausedUponCreation: boolean | null;
  /** URL or `mailto:` address by the owner's name. */
  readonly ownerLinks: { readonly [owner: string]: string };
  /** What was given as `taskDefaults`; merged into each task's settings already. */
  readonly taskDefaults: Partial<TaskSettings>;
  /** In order of declaration. */
  readonly tasks: readonly TaskModel[];
  /** In order of declaration, outer ones before those in them. */
  readonly groups: readonly GroupModel[];
  /** What stands at the top level, in order of declaration. */
  readonly children: readonly ChildModel[];
}

/** A task or a group, where groups contain both. */
export interface ChildModel {
  readonly kind: "task" | "group";
  /** Full id. */
  readonly id: string;
}

/** When runs are started. */
export type ScheduleModel =
  | { readonly kind: "none" }
  | { readonly kind: "once" }
  | { readonly kind: "continuous" }
  /** `expression` has five fields; a preset such as `@daily` is kept beside what it stands for. */
  | { readonly kind: "cron"; readonly expression: string; readonly preset: CronPreset | null }
  | { readonly kind: "every"; readonly everyMs: number }
  | { readonly kind: "assets"; readonly condition: AssetCondition };

/** Names that Airflow has for cron texts. */
export type CronPreset = "@hourly" | "@daily" | "@weekly" | "@monthly" | "@quarterly" | "@yearly";

/** Which assets must have had an event: Python's `|` is `any`, its `&` is `all`. */
export type AssetCondition =
  | { readonly kind: "asset"; readonly asset: AssetModel }
  | { readonly kind: "any" | "all"; readonly of: readonly AssetCondition[] };

/** An asset; `name` and `uri` are both there, as Airflow fills one in from the other. */
export interface AssetModel {
  readonly name: string;
  readonly uri: string;
  readonly group: string;
  readonly extra: { readonly [key: string]: JsonValue };
}

/** A param of the Dag. */
export interface ParamModel {
  readonly name: string;
  /** Null: there is none, each run has to give a value. */
  readonly default: { readonly value: JsonValue } | null;
  readonly description: string | null;
  /** JSON Schema, with a `type` also where the author left it to the default. */
  readonly schema: { readonly [keyword: string]: JsonValue };
}

/** A group of tasks; its id is part of theirs. */
export interface GroupModel {
  /** Full id, for example `checks.deep`. */
  readonly groupId: string;
  /** Last part of the id. */
  readonly label: string;
  /** Full id of the group around it; null at the top level. */
  readonly parentId: string | null;
  readonly displayName: string | null;
  readonly tooltip: string;
  /** In order of declaration. */
  readonly children: readonly ChildModel[];
  /**
   * What was declared to come before and after the group as a whole (`group >> x` in Python), as
   * full ids; the edges between tasks that follow from it are in the tasks' own `upstream` as well.
   */
  readonly upstreamGroupIds: readonly string[];
  readonly downstreamGroupIds: readonly string[];
  readonly upstreamTaskIds: readonly string[];
  readonly downstreamTaskIds: readonly string[];
}

/** What a handler's result means. */
export type TaskKind = "task" | "branch" | "short-circuit";

/** A task. */
export interface TaskModel {
  /** Full id, with its groups. */
  readonly taskId: string;
  /** Last part of the id. */
  readonly label: string;
  /** Full id of the group around it; null at the top level. */
  readonly groupId: string | null;
  readonly kind: TaskKind;
  /** Full ids of the tasks directly before and after it, sorted, each once. */
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
  /** By the name that the handler knows them by, in order of declaration; those of `expand` as well. */
  readonly inputs: { readonly [name: string]: InputModel };
  /** Names of the inputs that it is mapped over, in order; the last one varies fastest. Null: not mapped. */
  readonly expand: readonly string[] | null;
  /** Its own settings over those of the Dag's `taskDefaults`; what nobody said is absent. */
  readonly settings: Partial<TaskSettings>;
  readonly inlets: readonly AssetModel[];
  readonly outlets: readonly AssetModel[];
  /** A branch: the ids that its handler may return; null when it did not say (any directly downstream). */
  readonly choices: readonly string[] | null;
  /** A short circuit: true skips everything behind it, false only what is directly downstream. */
  readonly ignoreDownstreamTriggerRules: boolean;
  /** Some task is mapped over its result. */
  readonly isMappedOver: boolean;
}

/** Where an input comes from. */
export type InputModel =
  /**
   * The value that a task stored; of a mapped task the list of all. `taskId` is a full id of this
   * Dag, unless `dagId` names another one.
   */
  | {
      readonly kind: "xcom";
      readonly taskId: string;
      readonly key: string;
      readonly dagId: string | null;
    }
  /** Mapped over: one element an instance. */
  | { readonly kind: "each"; readonly taskId: string; readonly key: string }
  | {
      readonly kind: "each-literal";
      readonly value: readonly JsonValue[] | { readonly [key: string]: JsonValue };
    }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "conf"; readonly name: string };

/** When a task may start, by what has become of those directly before it: Airflow's names. */
export type TriggerRule =
  | "all_success"
  | "all_failed"
  | "all_done"
  | "all_done_min_one_success"
  | "all_done_setup_success"
  | "one_success"
  | "one_failed"
  | "one_done"
  | "none_failed"
  | "none_failed_min_one_success"
  | "none_skipped"
  | "all_skipped"
  | "always";

/** How a task's priority follows from `priorityWeight`. */
export type WeightRule = "downstream" | "upstream" | "absolute";

/** What Airflow itself is told of a task; nothing here is needed to call its handler. */
export interface TaskSettings {
  readonly owner: string;
  readonly displayName: string;
  /** Markdown (`doc_md` in Python). */
  readonly doc: string;
  readonly retries: number;
  readonly retryDelayMs: number;
  /** Base of the growth: 0 is none, 2 doubles. Never a boolean. */
  readonly retryExponentialBackoff: number;
  readonly maxRetryDelayMs: number;
  readonly pool: string;
  readonly poolSlots: number;
  /** Decides which coordinator, and so which runtime, runs the task. */
  readonly queue: string;
  readonly triggerRule: TriggerRule;
  readonly priorityWeight: number;
  readonly weightRule: WeightRule;
  readonly executionTimeoutMs: number;
  readonly dependsOnPast: boolean;
  readonly ignoreFirstDependsOnPast: boolean;
  readonly waitForDownstream: boolean;
  readonly maxActiveTisPerDag: number;
  readonly maxActiveTisPerDagrun: number;
  /** The result's values are stored under their keys too. */
  readonly multipleOutputs: boolean;
}
