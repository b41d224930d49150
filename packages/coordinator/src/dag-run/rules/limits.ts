import type { RunnableTask } from "../dag/runnable-dag.ts";

/** An instance that may be started, as far as the rules of its run go. */
export interface Candidate {
  readonly dagId: string;
  readonly task: RunnableTask;
  readonly mapIndex: number;
  /** Its run's place among the runs: earlier ones first. */
  readonly runPlace: number;
  /** Its task's place in the document. */
  readonly taskPlace: number;
}

/** What is in use, and what there is. */
export interface Limits {
  /** Free places of the whole runner. */
  readonly free: number;
  /** Free places of a run: its own limit and `max_active_tasks`. */
  readonly freeInRun: (runPlace: number) => number;
  /** Free slots of a pool. */
  readonly freeSlots: (pool: string) => number;
  /** Instances of a task that run: in this run, and in all runs of the Dag. */
  readonly active: (candidate: Candidate) => { readonly inRun: number; readonly inDag: number };
}

/**
 * Which of the instances that are ready start now: the heaviest first, then those of earlier runs, then
 * by map index and in the order of the Dag. One that finds no room lets others pass.
 */
export function chooseStarts<Each extends Candidate>(
  ready: readonly Each[],
  limits: Limits,
): Each[] {
  let { free } = limits;
  if (free <= 0 || ready.length === 0) return [];
  const chosen: Each[] = [];
  const runs = new Map<number, number>();
  const pools = new Map<string, number>();
  const started = new Map<string, number>();
  for (const one of [...ready].sort(byPriority)) {
    if (free <= 0) break;
    const { task, runPlace } = one;
    const inRun = runs.get(runPlace) ?? limits.freeInRun(runPlace);
    const slots = pools.get(task.pool) ?? limits.freeSlots(task.pool);
    if (inRun <= 0 || slots < task.poolSlots || !hasRoom(one, limits, started)) continue;
    free -= 1;
    runs.set(runPlace, inRun - 1);
    pools.set(task.pool, slots - task.poolSlots);
    for (const key of keysOf(one)) started.set(key, (started.get(key) ?? 0) + 1);
    chosen.push(one);
  }
  return chosen;
}

function byPriority(a: Candidate, b: Candidate): number {
  return (
    b.task.totalPriorityWeight - a.task.totalPriorityWeight ||
    a.runPlace - b.runPlace ||
    a.mapIndex - b.mapIndex ||
    a.taskPlace - b.taskPlace
  );
}

function hasRoom(one: Candidate, limits: Limits, started: ReadonlyMap<string, number>): boolean {
  const { maxActiveTisPerDag: inDagLimit, maxActiveTisPerDagRun: inRunLimit } = one.task;
  if (inDagLimit === null && inRunLimit === null) return true;
  const { inRun, inDag } = limits.active(one);
  const [runKey, dagKey] = keysOf(one);
  return (
    inRun + (started.get(runKey) ?? 0) < (inRunLimit ?? Infinity) &&
    inDag + (started.get(dagKey) ?? 0) < (inDagLimit ?? Infinity)
  );
}

function keysOf({ dagId, task, runPlace }: Candidate): [string, string] {
  return [`${runPlace} ${task.taskId}`, `in ${dagId}\0${task.taskId}`];
}
