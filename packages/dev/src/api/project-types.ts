import type { RunSummary } from "./run-types.ts";

/** What the server was started for. */
export interface Project {
  readonly name: string;
  /** Counts up whenever code was loaded or failed to load. */
  readonly revision: number;
  /** `loading` until the first answer of the program. */
  readonly status: "loading" | "ready" | "failed";
  /** Why the newest code is not in use. What is listed in `dags` is then the last that was. */
  readonly loadError: LoadError | null;
  /** When the code in use was loaded; null before there is any. */
  readonly loadedAt: string | null;
  readonly dags: readonly DagSummary[];
  readonly serverTime: string;
}

/** Why code could not be loaded. */
export interface LoadError {
  /** `build`: it did not compile; `parse`: the program did not tell its Dags; `import`: a Dag is faulty. */
  readonly kind: "build" | "parse" | "import";
  /** As the tool printed it, without colours: several lines of plain text. */
  readonly text: string;
  readonly at: string;
}

/** A Dag in a list. */
export interface DagSummary {
  readonly dagId: string;
  /** `native`: made with `dag()`; `plain`: tasks of `bundle.task` only, shown without dependencies. */
  readonly kind: "native" | "plain";
  readonly displayName: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** E.g. `@daily`, `0 5 * * *`; null for none. */
  readonly schedule: string | null;
  readonly taskCount: number;
  /** The newest run. */
  readonly lastRun: RunSummary | null;
}

/** A Dag with its tasks. */
export interface DagDetail extends DagSummary {
  /** In the order in which tasks can run: after what they depend on, ties as defined. */
  readonly tasks: readonly Task[];
  /** Outer ones before the groups inside them. */
  readonly groups: readonly TaskGroup[];
  readonly params: readonly Param[];
  readonly docMd: string | null;
  readonly maxActiveTasks: number;
}

/** A task and its options. */
export interface Task {
  readonly taskId: string;
  readonly displayName: string;
  readonly kind: "task" | "branch" | "short-circuit";
  /** The innermost group; null outside of all. */
  readonly groupId: string | null;
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
  /** Whether it runs once for each element of a list. */
  readonly isMapped: boolean;
  readonly triggerRule: string;
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** The multiplier; 0 and 1: a fixed delay. */
  readonly retryExponentialBackoff: number;
  readonly maxRetryDelaySeconds: number | null;
  readonly executionTimeoutSeconds: number | null;
  readonly pool: string;
  readonly poolSlots: number;
  readonly queue: string;
  readonly priorityWeight: number;
  readonly docMd: string | null;
}

/** A group of tasks. */
export interface TaskGroup {
  readonly groupId: string;
  readonly displayName: string;
  /** The group around it; null at the top. */
  readonly parentId: string | null;
}

/** A param of a Dag. */
export interface Param {
  readonly name: string;
  /** The default; JSON. Null where `isRequired`, `***` where it is secret: to use it, leave it out of `conf`. */
  readonly value: unknown;
  /** There is no default: each run has to give a value. */
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** JSON Schema; `{}` for none. */
  readonly schema: { readonly [keyword: string]: unknown };
  readonly description: string | null;
}
