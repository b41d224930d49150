/** How an instance ends that is run. */
export type PlannedEnd = "success" | "failed" | "skipped";

/** What a mapped task, or group, is mapped over: the value of a task, or so many elements. */
export type PlannedLists = { readonly [name: string]: string | number };

/** A Dag, and what its tasks do when they are run. */
export interface RunPlan {
  readonly groups: readonly PlannedGroup[];
  readonly tasks: readonly PlannedTask[];
}

/** Its id is no part of the ids of what is in it. */
export interface PlannedGroup {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly over?: PlannedLists | undefined;
}

/** A task, and what it does. */
export interface PlannedTask {
  readonly id: string;
  readonly group?: string | undefined;
  readonly after: readonly string[];
  readonly rule?: string | undefined;
  readonly kind: "task" | "branch" | "short-circuit";
  readonly setup?: boolean | undefined;
  readonly teardown?: boolean | undefined;
  /** Of a teardown. */
  readonly failsRun?: boolean | undefined;
  readonly over?: PlannedLists | undefined;
  /** In turns, by map index. */
  readonly ends: readonly PlannedEnd[];
  /** Of several that are under way those with the lowest {@link turnOf} end first. */
  readonly turn: number;
  /** Of a task that others are mapped over: how many elements it leaves. */
  readonly length?: number | undefined;
  /** What a branch or short circuit leaves, and which tasks it skips at once. */
  readonly decision?:
    | { readonly followed: readonly string[] }
    | { readonly skipped: readonly string[] }
    | undefined;
  readonly skips?: readonly string[] | undefined;
}

/** States by `task` or `task[index]`. */
export type PlayedStates = { readonly [instance: string]: string | null };

/** A run that was played through: its states whenever nothing more happens by itself. */
export interface PlayedRun {
  readonly steps: readonly PlayedStates[];
  readonly end: string;
}

/** @see PlannedTask.turn */
export function turnOf({ turn }: PlannedTask, mapIndex: number): number {
  return (turn + 7 * Math.max(mapIndex, 0)) % 5;
}

/** How an instance ends. */
export function endOf({ ends }: PlannedTask, mapIndex: number): PlannedEnd {
  return ends[Math.max(mapIndex, 0) % ends.length] ?? "success";
}

/** `task` or `task[index]`. */
export function instanceName(taskId: string, mapIndex: number): string {
  return mapIndex < 0 ? taskId : `${taskId}[${mapIndex}]`;
}
