import type { TaskArgBinding } from "@parlance/protocol";

/** Airflow's own serialised Dag: `{"__version": 3, "dag": {…}}`, as it crosses the wire. */
export interface SerializedDag {
  readonly __version: number;
  readonly dag: { readonly [key: string]: unknown };
}

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

/** A Dag that can be run here, with every default filled in. Made by `readSerializedDag`. */
export interface RunnableDag {
  readonly dagId: string;
  /** The id where it has no other name. */
  readonly displayName: string;
  readonly description: string | null;
  /** Markdown. */
  readonly docMd: string | null;
  readonly tags: readonly string[];
  /** E.g. `@daily`, `0 5 * * *`, `every 3600 s`, `asset "sales"`; null for none. Nothing is scheduled here. */
  readonly schedule: string | null;
  /** Path of its file, as the program said. */
  readonly fileloc: string;
  readonly params: readonly RunnableParam[];
  /** How many of its tasks may run at once. */
  readonly maxActiveTasks: number;
  /** A task that fails ends the others, but for teardowns. */
  readonly failFast: boolean;
  /** In the order of the document. */
  readonly tasks: readonly RunnableTask[];
  /** Outer ones before the groups inside them. */
  readonly groups: readonly RunnableGroup[];
  /** The document that it was read from; a run keeps it. */
  readonly serialized: SerializedDag;
}

/** A param of a Dag. */
export interface RunnableParam {
  readonly name: string;
  /** Whether there is a default; else each run has to give a value. */
  readonly hasDefault: boolean;
  /** JSON. */
  readonly default: unknown;
  /** JSON Schema; `{}` for none. */
  readonly schema: { readonly [keyword: string]: unknown };
  readonly description: string | null;
}

/** A group of tasks. */
export interface RunnableGroup {
  /** Full id, e.g. `checks.deep`. */
  readonly groupId: string;
  readonly displayName: string;
  readonly tooltip: string;
  /** The group around it; null at the top. */
  readonly parentId: string | null;
  /** What the whole group is mapped over; null for a plain one. */
  readonly mapping: TaskMapping | null;
}

/** A task of a Dag. */
export interface RunnableTask {
  readonly taskId: string;
  readonly displayName: string;
  /** What the handler's result means. */
  readonly kind: "task" | "branch" | "short-circuit";
  /** The innermost group; null outside of all. */
  readonly groupId: string | null;
  /** Ids directly before and after it, in the order of the document. */
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
  readonly triggerRule: TriggerRule;
  /** It makes one attempt more than that. */
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** The multiplier; 0 and 1: a fixed delay. */
  readonly retryExponentialBackoff: number;
  readonly maxRetryDelaySeconds: number | null;
  /** Kept by the task itself, not by the engine. */
  readonly executionTimeoutSeconds: number | null;
  readonly pool: string;
  readonly poolSlots: number;
  readonly queue: string;
  /** Its own weight. */
  readonly priorityWeight: number;
  /** With the weights of others, as its weight rule says; the highest starts first. */
  readonly totalPriorityWeight: number;
  /** How many of its instances may run at once, over all runs of the Dag; in one run. */
  readonly maxActiveTisPerDag: number | null;
  readonly maxActiveTisPerDagRun: number | null;
  readonly dependsOnPast: boolean;
  readonly ignoreFirstDependsOnPast: boolean;
  readonly waitForDownstream: boolean;
  readonly isSetup: boolean;
  readonly isTeardown: boolean;
  /** A teardown whose failure fails the run. */
  readonly onFailureFailDagRun: boolean;
  /** It may leave word which tasks after it are to be skipped. */
  readonly canSkipDownstream: boolean;
  /** Nothing is run for it: it succeeds at once. */
  readonly isEmpty: boolean;
  /** What its own instances are made of; null for a task that is not mapped itself. */
  readonly mapping: TaskMapping | null;
  /** Whether it has several instances, by its own mapping or that of a group around it. */
  readonly isMapped: boolean;
  /** By the handler's name for it. */
  readonly inputs: { readonly [name: string]: TaskInput };
  /** What 3.4 sends as arguments of the Python call; null for none. */
  readonly argBindings: readonly TaskArgBinding[] | null;
  readonly docMd: string | null;
  readonly operatorName: string;
  readonly owner: string;
  /** Seconds since 1970: the task takes part in runs with a logical date from, and to, there. */
  readonly startEpochSeconds: number | null;
  readonly endEpochSeconds: number | null;
}

/** Where an input of a task comes from; the task's own process resolves it. */
export type TaskInput =
  | { readonly kind: "xcom" | "each"; readonly taskId: string; readonly key: string }
  | { readonly kind: "literal" | "each-literal"; readonly value: unknown }
  | { readonly kind: "param" | "conf"; readonly name: string };

/**
 * What a task, or a group, is mapped over. `product`: an instance for each combination, the last
 * part varying fastest. `list`: one for each element (`expand_kwargs`).
 */
export interface TaskMapping {
  readonly kind: "product" | "list";
  readonly parts: readonly MappingPart[];
}

/** A list that is mapped over. `name` is the argument's; "" for the only part of a `list`. */
export interface MappingPart {
  readonly name: string;
  readonly length: MappingLength;
}

/** How long a mapped list is: as written in the Dag, or as what tasks have pushed. */
export type MappingLength =
  | { readonly kind: "literal"; readonly length: number }
  | { readonly kind: "xcom"; readonly taskId: string; readonly key: string }
  | { readonly kind: "zip"; readonly of: readonly MappingLength[]; readonly longest: boolean }
  | { readonly kind: "concat"; readonly of: readonly MappingLength[] }
  /** The element of a mapped group around it: its length can't be known before, as in Airflow. */
  | { readonly kind: "unknown"; readonly what: string };
